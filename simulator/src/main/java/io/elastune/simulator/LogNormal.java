package io.elastune.simulator;

import org.apache.commons.statistics.distribution.ContinuousDistribution;
import org.apache.commons.statistics.distribution.LogNormalDistribution;

/**
 * Log-normal by mean and coefficient of variation, both above 0: {@code σ² = ln(1+cv²)}, {@code μ =
 * ln(mean) − σ²/2} (model.md, "Time").
 */
record LogNormal(double mean, double cv) implements Law {
  @Override
  public boolean varies() {
    return true;
  }

  @Override
  public Source open(Streams streams) {
    double variance = Math.log1p(cv * cv);
    double mu = Math.log(mean) - variance / 2;
    ContinuousDistribution.Sampler sampler =
        LogNormalDistribution.of(mu, Math.sqrt(variance)).createSampler(streams.open());
    return (into, from, count) -> {
      for (int i = from; i < from + count; i++) {
        into[i] = sampler.sample();
      }
    };
  }
}
