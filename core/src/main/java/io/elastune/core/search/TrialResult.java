package io.elastune.core.search;

import io.elastune.core.job.Metric;

/**
 * The result of a trial, in the order in which trials are promoted: the lower loss first, then the
 * lower trial number. Trials without a finite metric are last.
 *
 * @param loss the metric, negated if it is maximized; NaN for none
 */
public record TrialResult(int trial, double loss) implements Comparable<TrialResult> {
  public TrialResult {
    loss = Double.isFinite(loss) ? loss + 0.0 : Double.NaN; // 0.0 and -0.0 are equal
  }

  /** Returns the loss of {@code metric}: less is better. NaN if the metric is not finite. */
  public static double loss(double metric, Metric.Goal goal) {
    if (!Double.isFinite(metric)) {
      return Double.NaN;
    }
    return goal == Metric.Goal.MAXIMIZE ? 0.0 - metric : metric + 0.0;
  }

  /** Whether it can be compared with others. */
  public boolean isValid() {
    return !Double.isNaN(loss);
  }

  @Override
  public int compareTo(TrialResult other) {
    int order = Double.compare(loss, other.loss);
    return order != 0 ? order : Integer.compare(trial, other.trial);
  }
}
