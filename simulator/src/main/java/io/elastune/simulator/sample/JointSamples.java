package io.elastune.simulator.sample;

/**
 * The joint samples of a plan. Entry {@code i} of both arrays is the same sample. Sample {@code i}
 * of two plans of one problem has the same random draws.
 *
 * @param completionS seconds from the start of the plan to the end of its last group
 * @param costUsd cost of the whole plan in USD, including controller and checkpoints
 */
// Arrays, because the planner compares thousands of plans; equality of these records is not used.
@SuppressWarnings("ArrayRecordComponent")
public record JointSamples(double[] completionS, double[] costUsd) {
  /** Tolerance for rounding errors in the required number of samples. */
  private static final double ROUNDING = 1e-9;

  /**
   * Returns the earliest deadline, in seconds, that a fraction {@code confidence} of the samples
   * meets.
   */
  public double safeDeadlineS(double confidence) {
    return least(completionS, confidence);
  }

  /** Returns the lowest budget, in USD, that a fraction {@code confidence} of the samples meets. */
  public double safeBudgetUsd(double confidence) {
    return least(costUsd, confidence);
  }

  private static double least(double[] samples, double confidence) {
    double[] values = samples.clone();
    int place = Math.max(1, (int) Math.ceil(confidence * values.length - ROUNDING)) - 1;
    QuickSelect.select(values, 0, values.length, place);
    return values[place];
  }
}
