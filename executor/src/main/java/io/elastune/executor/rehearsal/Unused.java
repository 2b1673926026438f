package io.elastune.executor.rehearsal;

import java.util.Arrays;
import java.util.List;

/**
 * What runs have left of their budget, in dollars; negative where a run has crossed it.
 *
 * @param meanUsd of all runs
 * @param leastUsd of all runs
 * @param stoppedMeanUsd of those that were stopped at the budget; NaN if none was
 * @param stoppedMostUsd of the same; NaN if none was
 */
public record Unused(
    double meanUsd, double leastUsd, double stoppedMeanUsd, double stoppedMostUsd) {
  private static final int BUDGET = 11;

  static Unused of(List<RehearsedRun> runs, double budgetUsd) {
    double[] all = runs.stream().mapToDouble(run -> budgetUsd - run.costUsd()).toArray();
    double[] stopped =
        runs.stream()
            .filter(run -> run.exit() == BUDGET)
            .mapToDouble(run -> budgetUsd - run.costUsd())
            .toArray();
    return new Unused(mean(all), least(all), mean(stopped), most(stopped));
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElse(Double.NaN);
  }

  private static double least(double[] values) {
    return Arrays.stream(values).min().orElse(Double.NaN);
  }

  private static double most(double[] values) {
    return Arrays.stream(values).max().orElse(Double.NaN);
  }
}
