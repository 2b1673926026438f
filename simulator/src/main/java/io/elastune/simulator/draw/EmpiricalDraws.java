package io.elastune.simulator.draw;

import io.elastune.core.random.RandomStreams;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;

/** An empirical distribution: all given values are equally likely. */
final class EmpiricalDraws implements DrawDistribution {
  private final double[] values;
  private final double mean;

  private EmpiricalDraws(double[] values) {
    this.values = values;
    this.mean = mean(values);
  }

  /**
   * Returns the distribution of {@code samples}, which are not empty and all above 0, scaled to
   * mean 1.
   */
  static DrawDistribution ofMeanOne(List<Double> samples) {
    double[] values = samples.stream().mapToDouble(Double::doubleValue).toArray();
    double mean = mean(values);
    boolean varies = false;
    for (int i = 0; i < values.length; i++) {
      varies |= !samples.get(i).equals(samples.get(0));
      values[i] /= mean;
    }
    return varies ? new EmpiricalDraws(values) : new ConstantDraws(1);
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
  public DrawSource open(RandomStreams streams) {
    UniformRandomProvider random = streams.open()::nextLong;
    return (into, from, count) -> {
      for (int i = from; i < from + count; i++) {
        into[i] = values[random.nextInt(values.length)];
      }
    };
  }
}
