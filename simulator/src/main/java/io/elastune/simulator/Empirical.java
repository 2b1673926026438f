package io.elastune.simulator;

import io.elastune.core.random.RandomStreams;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;

/** An empirical distribution: all given values are equally likely. */
final class Empirical implements Law {
  private final double[] values;
  private final double mean;

  private Empirical(double[] values) {
    this.values = values;
    this.mean = mean(values);
  }

  /**
   * Returns the distribution of {@code samples}, which are not empty and all above 0, scaled to
   * mean 1.
   */
  static Law ofMeanOne(List<Double> samples) {
    double[] values = samples.stream().mapToDouble(Double::doubleValue).toArray();
    double mean = mean(values);
    boolean varies = false;
    for (int i = 0; i < values.length; i++) {
      varies |= !samples.get(i).equals(samples.get(0));
      values[i] /= mean;
    }
    return varies ? new Empirical(values) : new Constant(1);
  }

  private static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }

  @Override
  public double mean() {
    return mean;
  }

  @Override
  public boolean varies() {
    return true;
  }

  @Override
  public Source open(RandomStreams streams) {
    UniformRandomProvider random = streams.open()::nextLong;
    return (into, from, count) -> {
      for (int i = from; i < from + count; i++) {
        into[i] = values[random.nextInt(values.length)];
      }
    };
  }
}
