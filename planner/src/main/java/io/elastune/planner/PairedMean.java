package io.elastune.inputs;

/**
 * The mean of the differences of equal samples of two plans.
 *
 * @param mean the mean of the first plan
 * @param difference by how much it exceeds that of the other
 * @param error the standard error of the difference
 */
record PairedMean(double mean, double difference, double error) {
  /**
   * Returns the mean over the samples that both have.
   *
   * @param other has one value if it does not vary
   */
  static PairedMean of(double[] one, double[] other) {
    int count = other.length > 1 ? Math.min(one.length, other.length) : one.length;
    double mean = 0;
    double difference = 0;
    for (int i = 0; i < count; i++) {
      mean += one[i] / count;
      difference += difference(one, other, i) / count;
    }
    double squares = 0;
    for (int i = 0; i < count; i++) {
      double deviation = difference(one, other, i) - difference;
      squares += deviation * deviation;
    }
    return new PairedMean(
        mean, difference, count > 1 ? Math.sqrt(squares / (count - 1.0) / count) : 0);
  }

  private static double difference(double[] one, double[] other, int sample) {
    return one[sample] - (other.length > 1 ? other[sample] : other[0]);
  }
}
