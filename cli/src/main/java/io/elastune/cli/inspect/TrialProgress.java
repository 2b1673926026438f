package io.elastune.cli.inspect;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.core.job.Metric;
import io.elastune.core.search.TrialResult;
import io.elastune.executor.journal.ReportRow;
import io.elastune.executor.journal.RunReader;
import io.elastune.executor.journal.TrialRow;
import io.elastune.plan.json.JsonDocuments;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a trial has reported last, in a run that may still be in progress.
 *
 * @param metric the search's metric in its last report; empty without one, and if it is not finite
 */
public record TrialProgress(
    @JsonPropertyDescription("Its number.") int trial,
    @JsonPropertyDescription("Its state.") String status,
    @JsonPropertyDescription("Unit of its last report; 0 before that.") int units,
    @JsonPropertyDescription("Its metric in that report; null without one, and if not finite.")
        OptionalDouble metric,
    @JsonPropertyDescription("Its hyperparameters.") Map<String, Object> config) {
  /** The best trial so far. */
  record Best(
      @JsonPropertyDescription("Its number.") int trial,
      @JsonPropertyDescription("Its metric.") double metric,
      @JsonPropertyDescription("Its hyperparameters.") Map<String, Object> config,
      @JsonPropertyDescription("Units that it has trained.") int units) {}

  /** Returns the progress of all trials that have started, by number. */
  static List<TrialProgress> of(RunRecord run) {
    Map<Integer, ReportRow> last = new HashMap<>();
    try (RunReader reader = RunReader.open(run.folder())) {
      reader.lastReports().forEach(report -> last.put(report.trial(), report));
    }
    List<TrialProgress> all = new ArrayList<>();
    for (TrialRow row : run.trials()) {
      Optional<ReportRow> report = Optional.ofNullable(last.get(row.trial()));
      if (row.attempts() > 0) {
        all.add(
            new TrialProgress(
                row.trial(),
                row.status().name().toLowerCase(Locale.ROOT),
                report.map(ReportRow::unit).orElse(row.trainedUnits()),
                JsonDocuments.finite(
                    report
                        .map(it -> it.metrics().get(run.meta().metric().name()))
                        .orElse(row.metric().orElse(Double.NaN))),
                row.config()));
      }
    }
    return all;
  }

  /**
   * Returns the best trial: by the results at the end of groups, as in the report, or before the
   * first of them by the last reports.
   */
  static Optional<Best> best(RunRecord run, List<TrialProgress> trials) {
    Optional<Best> ranked =
        run.best()
            .map(
                row ->
                    new Best(
                        row.trial(), row.metric().orElseThrow(), row.config(), row.trainedUnits()));
    return ranked.or(
        () ->
            ranked(run, trials).stream()
                .findFirst()
                .map(
                    it ->
                        new Best(it.trial(), it.metric().orElseThrow(), it.config(), it.units())));
  }

  /** Returns the trials with a metric, the best first. */
  static List<TrialProgress> ranked(RunRecord run, List<TrialProgress> trials) {
    Metric.Goal goal = run.meta().metric().goal();
    return trials.stream()
        .filter(trial -> trial.metric().isPresent())
        .sorted(
            Comparator.comparingDouble(
                (TrialProgress trial) -> TrialResult.loss(trial.metric().orElseThrow(), goal)))
        .toList();
  }
}
