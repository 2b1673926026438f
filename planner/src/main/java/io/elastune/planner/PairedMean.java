package io.elastune.planner;

/**
 * The mean of the differences of equal samples of two plans.
 *
 * @param mean the mean of the first plan
 * @param difference by how much it exceeds that of the other
 * @param error the standard error of the difference
 */
public record PairedMean(double mean, double difference, double error) {
  /**
   * Returns the mean over the samples that both have.
   *
   * @param reference has one value if it does not vary
   */
  public static PairedMean of(double[] values, double[] reference) {
    return of(
        values,
        reference,
        reference.length > 1 ? Math.min(values.length, reference.length) : values.length);
  }

  /** Returns the mean over the first samples, which both have. */
  static PairedMean of(double[] values, double[] reference, int count) {
    double mean = 0;
    double difference = 0;
    for (int i = 0; i < count; i++) {
      mean += values[i] / count;
      difference += difference(values, reference, i) / count;
    }
    double squares = 0;
    for (int i = 0; i < count; i++) {
      double deviation = difference(values, reference, i) - difference;
      squares += deviation * deviation;
    }
    return new PairedMean(
        mean, difference, count > 1 ? Math.sqrt(squares / (count - 1.0) / count) : 0);
  }

  private static double difference(double[] values, double[] reference, int sample) {
    return values[sample] - (reference.length > 1 ? reference[sample] : reference[0]);
  }
}
