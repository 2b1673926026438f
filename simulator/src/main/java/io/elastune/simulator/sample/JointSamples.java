package io.elastune.simulator.sample;

import java.util.Arrays;

/**
 * The joint samples of a plan. Entry {@code i} of all arrays is the same sample. Sample {@code i}
 * of two plans of one problem has the same random draws.
 *
 * @param completionS seconds from the start of the plan to the end of its last group
 * @param costUsd cost of the whole plan in USD, including controller and checkpoints
 * @param hasNoResult whether the search ended at its time before any trial had a result: such a run
 *     meets no deadline
 */
// Arrays, because the planner compares thousands of plans; equality of these records is not used.
@SuppressWarnings("ArrayRecordComponent")
public record JointSamples(double[] completionS, double[] costUsd, boolean[] hasNoResult) {
  /** Tolerance for rounding errors in the required number of samples. */
  private static final double ROUNDING = 1e-9;

  /** Creates samples that all have a result. */
  public JointSamples(double[] completionS, double[] costUsd) {
    this(completionS, costUsd, new boolean[costUsd.length]);
  }

  /** Returns the first samples. */
  public JointSamples first(int count) {
    return new JointSamples(
        Arrays.copyOf(completionS, count),
        Arrays.copyOf(costUsd, count),
        Arrays.copyOf(hasNoResult, count));
  }

  /** Returns the fraction of the samples with a result by a deadline in seconds, inclusive. */
  public double onTime(double deadlineS) {
    int met = 0;
    for (int sample = 0; sample < completionS.length; sample++) {
      met += completionS[sample] <= deadlineS && !hasNoResult[sample] ? 1 : 0;
    }
    return (double) met / completionS.length;
  }

  /** Returns the fraction of the samples within a budget in USD, inclusive. */
  public double inBudget(double budgetUsd) {
    int met = 0;
    for (double usd : costUsd) {
      met += usd <= budgetUsd ? 1 : 0;
    }
    return (double) met / costUsd.length;
  }

  /** Returns the fraction of the samples without a result. */
  public double withoutResult() {
    int none = 0;
    for (boolean hasNone : hasNoResult) {
      none += hasNone ? 1 : 0;
    }
    return (double) none / hasNoResult.length;
  }

  /**
   * Returns the earliest deadline, in seconds, that a fraction {@code confidence} of the samples
   * meets; infinite if too many have no result.
   */
  public double safeDeadlineS(double confidence) {
    double[] values = completionS.clone();
    for (int sample = 0; sample < values.length; sample++) {
      if (hasNoResult[sample]) {
        values[sample] = Double.POSITIVE_INFINITY;
      }
    }
    return least(values, confidence);
  }

  /** Returns the lowest budget, in USD, that a fraction {@code confidence} of the samples meets. */
  public double safeBudgetUsd(double confidence) {
    return least(costUsd.clone(), confidence);
  }

  /** Returns the same of values, which it orders. */
  private static double least(double[] values, double confidence) {
    int place = Math.max(1, (int) Math.ceil(confidence * values.length - ROUNDING)) - 1;
    QuickSelect.select(values, 0, values.length, place);
    return values[place];
  }
}
