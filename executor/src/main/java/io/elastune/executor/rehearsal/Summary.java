package io.elastune.executor.rehearsal;

import io.elastune.core.estimate.Distribution;
import io.elastune.executor.world.Mishap;
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
 * @param unused the remaining budget; empty without a budget
 * @param exits number of runs by exit code
 * @param broken number of violations of each invariant, over all runs
 * @param failing the runs with violations
 * @param mishaps number of injected faults by kind, over all runs
 * @param events number of events that the core processed, over all runs
 */
public record Summary(
    int runs,
    double onTime,
    double inBudget,
    Distribution completionS,
    Distribution costUsd,
    Optional<Unused> unused,
    SortedMap<Integer, Integer> exits,
    Map<Broken.Promise, Integer> broken,
    List<RehearsedRun> failing,
    Map<Mishap, Integer> mishaps,
    long events) {
  /** Summarizes {@code runs} under the given limits, if any. */
  public static Summary of(
      List<RehearsedRun> runs, OptionalDouble deadlineS, OptionalDouble budgetUsd) {
    List<RehearsedRun> completed =
        runs.stream().filter(run -> !Double.isNaN(run.completionS())).toList();
    double deadline = deadlineS.orElse(Double.POSITIVE_INFINITY);
    double budget = budgetUsd.orElse(Double.POSITIVE_INFINITY);
    SortedMap<Integer, Integer> exits = new TreeMap<>();
    Map<Broken.Promise, Integer> broken = new EnumMap<>(Broken.Promise.class);
    for (Broken.Promise promise : Broken.Promise.values()) {
      broken.put(promise, 0);
    }
    for (RehearsedRun run : runs) {
      exits.merge(run.exit(), 1, Integer::sum);
      run.broken().forEach(some -> broken.merge(some.promise(), some.count(), Integer::sum));
    }
    return new Summary(
        runs.size(),
        fraction(runs, completed.stream().filter(run -> run.completionS() <= deadline).count()),
        fraction(runs, runs.stream().filter(run -> run.costUsd() <= budget).count()),
        distribution(completed.stream().mapToDouble(RehearsedRun::completionS).toArray()),
        distribution(completed.stream().mapToDouble(RehearsedRun::costUsd).toArray()),
        budgetUsd.isPresent() ? Optional.of(Unused.of(runs, budget)) : Optional.empty(),
        exits,
        broken,
        runs.stream().filter(run -> !run.broken().isEmpty()).toList(),
        mishaps(runs),
        runs.stream().mapToLong(RehearsedRun::events).sum());
  }

  private static Map<Mishap, Integer> mishaps(List<RehearsedRun> runs) {
    Map<Mishap, Integer> counts = new EnumMap<>(Mishap.class);
    for (RehearsedRun run : runs) {
      run.mishaps().forEach((mishap, count) -> counts.merge(mishap, count, Integer::sum));
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
