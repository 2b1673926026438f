package io.elastune.executor.rehearsal;

import io.elastune.core.estimate.Distribution;
import io.elastune.executor.simulation.FaultKind;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The summary of many rehearsed runs.
 *
 * @param runs the number of runs
 * @param onTime fraction of all runs that completed their last group by the deadline
 * @param inBudget fraction of all runs that cost no more than the budget
 * @param completionS completion time of the completed runs, in seconds
 * @param costUsd cost of the completed runs, in USD
 * @param budgetRemaining the remaining budget; empty without a budget
 * @param exits number of runs by exit code
 * @param violations number of violations of each invariant, over all runs
 * @param failingRuns the runs with violations
 * @param faultCounts number of injected faults by kind, over all runs
 * @param events number of events that the core processed, over all runs
 */
public record RehearsalSummary(
    int runs,
    double onTime,
    double inBudget,
    Distribution completionS,
    Distribution costUsd,
    Optional<BudgetRemaining> budgetRemaining,
    SortedMap<Integer, Integer> exits,
    Map<InvariantViolation.Invariant, Integer> violations,
    List<RehearsedRun> failingRuns,
    Map<FaultKind, Integer> faultCounts,
    long events) {
  /** Summarizes {@code runs} under the given limits, if any. */
  public static RehearsalSummary of(
      List<RehearsedRun> runs, OptionalDouble deadlineS, OptionalDouble budgetUsd) {
    List<RehearsedRun> completed =
        runs.stream().filter(run -> !Double.isNaN(run.completionS())).toList();
    double deadline = deadlineS.orElse(Double.POSITIVE_INFINITY);
    double budget = budgetUsd.orElse(Double.POSITIVE_INFINITY);
    SortedMap<Integer, Integer> exits = new TreeMap<>();
    Map<InvariantViolation.Invariant, Integer> broken =
        new EnumMap<>(InvariantViolation.Invariant.class);
    for (InvariantViolation.Invariant invariant : InvariantViolation.Invariant.values()) {
      broken.put(invariant, 0);
    }
    for (RehearsedRun run : runs) {
      exits.merge(run.exit(), 1, Integer::sum);
      run.violations().forEach(some -> broken.merge(some.invariant(), some.count(), Integer::sum));
    }
    return new RehearsalSummary(
        runs.size(),
        fraction(runs, completed.stream().filter(run -> run.completionS() <= deadline).count()),
        fraction(runs, runs.stream().filter(run -> run.costUsd() <= budget).count()),
        distribution(completed.stream().mapToDouble(RehearsedRun::completionS).toArray()),
        distribution(completed.stream().mapToDouble(RehearsedRun::costUsd).toArray()),
        budgetUsd.isPresent() ? Optional.of(BudgetRemaining.of(runs, budget)) : Optional.empty(),
        exits,
        broken,
        runs.stream().filter(run -> !run.violations().isEmpty()).toList(),
        mishaps(runs),
        runs.stream().mapToLong(RehearsedRun::events).sum());
  }

  private static Map<FaultKind, Integer> mishaps(List<RehearsedRun> runs) {
    Map<FaultKind, Integer> counts = new EnumMap<>(FaultKind.class);
    for (RehearsedRun run : runs) {
      run.faultCounts().forEach((faultKind, count) -> counts.merge(faultKind, count, Integer::sum));
    }
    return counts;
  }

  private static double fraction(List<RehearsedRun> runs, long count) {
    return runs.isEmpty() ? 0 : (double) count / runs.size();
  }

  private static Distribution distribution(double[] values) {
    Arrays.sort(values);
    double mean = Arrays.stream(values).average().orElse(Double.NaN);
    return new Distribution(mean, at(values, 0.05), at(values, 0.5), at(values, 0.95));
  }

  /** Returns the linearly interpolated order statistic (docs/model.md). */
  private static double at(double[] sorted, double share) {
    if (sorted.length == 0) {
      return Double.NaN;
    }
    double place = share * (sorted.length - 1);
    int below = (int) place;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }
}
