package io.elastune.simulator;

/**
 * The joint draws of a plan: entry {@code i} of both arrays is the same sample, and sample {@code
 * i} of two plans of one problem saw the same luck.
 *
 * @param completionS seconds from the start of the plan to the end of its last group
 * @param costUsd dollars of the whole plan, controller and checkpoints included
 */
// Arrays, for the planner compares thousands of plans; records' equality on them is not used.
@SuppressWarnings("ArrayRecordComponent")
public record Samples(double[] completionS, double[] costUsd) {
  /** Slack for a fraction of the samples that is meant to be a whole number of them. */
  private static final double ROUNDING = 1e-9;

  /** The least deadline, in seconds, that a fraction {@code confidence} of the samples keeps. */
  public double safeS(double confidence) {
    return least(completionS, confidence);
  }

  /** The least budget, in dollars, that a fraction {@code confidence} of the samples keeps. */
  public double safeUsd(double confidence) {
    return least(costUsd, confidence);
  }

  private static double least(double[] samples, double confidence) {
    double[] values = samples.clone();
    int place = Math.max(1, (int) Math.ceil(confidence * values.length - ROUNDING)) - 1;
    Selection.select(values, 0, values.length, place);
    return values[place];
  }
}
