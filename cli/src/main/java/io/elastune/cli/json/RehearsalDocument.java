package io.elastune.cli.json;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.core.estimate.Distribution;
import io.elastune.core.estimate.Estimate;
import io.elastune.executor.rehearsal.BudgetRemaining;
import io.elastune.executor.rehearsal.RehearsalSummary;
import io.elastune.executor.rehearsal.RehearsedRun;
import io.elastune.plan.json.JsonDocuments;
import io.elastune.plan.json.KeyIfPresent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/** The document of {@code rehearse --json}. */
public record RehearsalDocument(
    @JsonPropertyDescription("Number of rehearsed runs.") int seeds,
    @JsonPropertyDescription("Fraction of the runs that met the deadline.") double onTime,
    @JsonPropertyDescription("Fraction of the runs that stayed within the budget.") double inBudget,
    @JsonPropertyDescription("The predicted probabilities for the same limits.") Shares promised,
    @JsonPropertyDescription("Completion time of the completed runs in seconds.")
        Comparison completionS,
    @JsonPropertyDescription("Cost of the completed runs in USD.") Comparison costUsd,
    @KeyIfPresent @JsonPropertyDescription("With a budget: what the runs left of it, in USD.")
        Optional<Unused> budgetUnusedUsd,
    @JsonPropertyDescription("Number of violations by invariant.") Map<String, Integer> broken,
    @JsonPropertyDescription("Number of runs by exit code.") Map<String, Integer> exits,
    @JsonPropertyDescription("Number of injected faults by kind.") Map<String, Integer> faults,
    @JsonPropertyDescription("Rehearsed runs per second.") double runsPerSecond,
    @JsonPropertyDescription("Processed events per second.") double eventsPerSecond,
    @JsonPropertyDescription("The seeds of the runs that violated an invariant.")
        List<Long> failingSeeds,
    @JsonPropertyDescription("Whether the plan was computed without faults.")
        boolean plannedWithoutFaults) {
  /** Predicted probabilities. */
  record Shares(double onTime, double inBudget) {}

  /** A predicted quantity, and the same of the rehearsed runs; null if no run completed. */
  record Comparison(
      double predicted, OptionalDouble executed, double predictedP95, OptionalDouble executedP95) {
    static Comparison of(Distribution predicted, Distribution executed) {
      return new Comparison(
          predicted.mean(),
          JsonDocuments.finite(executed.mean()),
          predicted.p95(),
          JsonDocuments.finite(executed.p95()));
    }
  }

  /** The budget that runs did not use; null where no run applies. */
  record Unused(
      OptionalDouble mean,
      OptionalDouble least,
      OptionalDouble stoppedMean,
      OptionalDouble stoppedMost) {
    static Unused of(BudgetRemaining remaining) {
      return new Unused(
          JsonDocuments.finite(remaining.meanUsd()),
          JsonDocuments.finite(remaining.leastUsd()),
          JsonDocuments.finite(remaining.stoppedMeanUsd()),
          JsonDocuments.finite(remaining.stoppedMostUsd()));
    }
  }

  /**
   * Returns the document.
   *
   * @param predicted the prediction with the budget that applied, even if the job has none
   * @param tookS duration of the rehearsal in seconds
   * @param withoutFaults whether the plan was computed without faults
   */
  public static RehearsalDocument of(
      Estimate estimate,
      Estimate predicted,
      RehearsalSummary summary,
      double tookS,
      boolean withoutFaults) {
    return new RehearsalDocument(
        summary.runs(),
        summary.onTime(),
        summary.inBudget(),
        new Shares(predicted.onTime(), predicted.inBudget().orElse(1)),
        Comparison.of(estimate.completionS(), summary.completionS()),
        Comparison.of(estimate.costUsd(), summary.costUsd()),
        summary.budgetRemaining().map(Unused::of),
        named(summary.violations(), invariant -> invariant.word()),
        named(summary.exits(), code -> Integer.toString(code)),
        named(summary.faultCounts(), kind -> kind.word()),
        summary.runs() / tookS,
        summary.events() / tookS,
        summary.failingRuns().stream().map(RehearsedRun::seed).toList(),
        withoutFaults);
  }

  private static <K> Map<String, Integer> named(Map<K, Integer> counts, Function<K, String> name) {
    Map<String, Integer> named = new LinkedHashMap<>();
    counts.forEach((key, count) -> named.put(name.apply(key), count));
    return named;
  }
}
