package io.elastune.cli.inspect;

import io.elastune.core.job.Job;
import io.elastune.core.job.Search;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.journal.AttemptRow;
import io.elastune.executor.journal.LeaseRow;
import io.elastune.executor.journal.ReportRow;
import io.elastune.executor.journal.RunReader;
import io.elastune.executor.journal.TrialRow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The results of all trials of a run, with the cost of each.
 *
 * <p>The cost of an instance is divided among the trials that ran on it, in proportion to the time
 * of their workers on it. So its boot and idle time is shared in the same proportion. What no trial
 * used is unallocated: instances without a worker, the controller's machine, checkpoint storage and
 * profiling. Allocated and unallocated cost add up to the cost of the run.
 *
 * @param trials one entry per trial, by number
 * @param unallocatedUsd cost of the run in USD that no trial is charged for
 */
public record TrialResults(List<TrialResult> trials, double unallocatedUsd) {
  /**
   * The result of one trial.
   *
   * @param row its state
   * @param reportedUnit unit of its last report; 0 before that
   * @param metrics the metrics of its last report
   * @param durationS seconds during which attempts of it ran
   * @param costUsd its share of the cost of instances, in USD
   * @param bestUnit the unit with the best metric, if the best value counts
   * @param checkpoint its newest checkpoint, or that of the best unit, if it still exists
   * @param origin how its configuration was chosen; empty if the job cannot be read
   */
  public record TrialResult(
      TrialRow row,
      int reportedUnit,
      Map<String, Double> metrics,
      double durationS,
      double costUsd,
      Optional<Integer> bestUnit,
      Optional<String> checkpoint,
      Optional<Search.Origin> origin) {}

  public TrialResults {
    trials = List.copyOf(trials);
  }

  /** Reads the results of {@code run} from its journal. */
  public static TrialResults of(RunRecord run) {
    try (RunReader reader = RunReader.open(run.folder())) {
      return of(run, reader.attempts(), reader.reports());
    }
  }

  private static TrialResults of(
      RunRecord run, List<AttemptRow> attempts, List<ReportRow> reports) {
    Map<Integer, Double> durations = new HashMap<>();
    Map<String, Map<Integer, Double>> workerSeconds = new HashMap<>();
    for (AttemptRow attempt : attempts) {
      double seconds =
          Seconds.between(attempt.started(), attempt.ended().orElse(run.progress().at()));
      durations.merge(attempt.trial(), seconds, Double::sum);
      for (GpuSlot place : attempt.places()) {
        workerSeconds
            .computeIfAbsent(place.lease(), lease -> new TreeMap<>())
            .merge(attempt.trial(), seconds, Double::sum);
      }
    }
    Map<Integer, Double> costs = costs(run, workerSeconds);
    Map<Integer, ReportRow> last = new HashMap<>();
    reports.forEach(report -> last.put(report.trial(), report));
    Optional<Search> search = run.job().map(Job::search);
    List<TrialResult> trials =
        run.trials().stream()
            .map(
                row ->
                    result(
                        run,
                        row,
                        Optional.ofNullable(last.get(row.trial())),
                        durations.getOrDefault(row.trial(), 0.0),
                        costs.getOrDefault(row.trial(), 0.0),
                        search.map(row::origin)))
            .toList();
    double allocated = trials.stream().mapToDouble(TrialResult::costUsd).sum();
    return new TrialResults(trials, Math.max(0, run.costUsd() - allocated));
  }

  private static TrialResult result(
      RunRecord run,
      TrialRow row,
      Optional<ReportRow> last,
      double durationS,
      double costUsd,
      Optional<Search.Origin> origin) {
    return new TrialResult(
        row,
        last.map(ReportRow::unit).orElse(0),
        last.map(ReportRow::metrics).orElse(Map.of()),
        durationS,
        costUsd,
        run.bestUnit(row),
        run.existingCheckpoint(row),
        origin);
  }

  /** Divides the cost of every lease by the seconds of workers on it. */
  private static Map<Integer, Double> costs(
      RunRecord run, Map<String, Map<Integer, Double>> workerSeconds) {
    Map<Integer, Double> costs = new HashMap<>();
    for (LeaseRow lease : run.leases()) {
      Map<Integer, Double> byTrial = workerSeconds.getOrDefault(lease.lease(), Map.of());
      double all = byTrial.values().stream().mapToDouble(seconds -> seconds).sum();
      if (all > 0) {
        byTrial.forEach(
            (trial, seconds) -> costs.merge(trial, lease.usd() * seconds / all, Double::sum));
      }
    }
    return costs;
  }
}
