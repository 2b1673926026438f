package io.elastune.executor.rehearsal;

import java.util.Arrays;
import java.util.List;

/**
 * The remaining budget of rehearsed runs, in USD; negative if a run exceeded its budget.
 *
 * @param meanUsd mean of all runs
 * @param leastUsd minimum of all runs
 * @param stoppedMeanUsd mean of the runs that stopped at the budget; NaN if there are none
 * @param stoppedMostUsd maximum of those runs; NaN if there are none
 */
public record BudgetRemaining(
    double meanUsd, double leastUsd, double stoppedMeanUsd, double stoppedMostUsd) {
  private static final int BUDGET_EXIT_CODE = 11;

  static BudgetRemaining of(List<RehearsedRun> runs, double budgetUsd) {
    double[] all = runs.stream().mapToDouble(run -> budgetUsd - run.costUsd()).toArray();
    double[] stopped =
        runs.stream()
            .filter(run -> run.exit() == BUDGET_EXIT_CODE)
            .mapToDouble(run -> budgetUsd - run.costUsd())
            .toArray();
    return new BudgetRemaining(mean(all), least(all), mean(stopped), most(stopped));
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
