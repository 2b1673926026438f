package io.elastune.simulator.draw;

import io.elastune.core.random.RandomStreams;
import org.apache.commons.statistics.distribution.NormalDistribution;

/** The standard normal distribution. */
public record NormalDraws() implements DrawDistribution {
  @Override
  public double mean() {
    return 0;
  }

  @Override
  public DrawSource open(RandomStreams streams) {
    var sampler = NormalDistribution.of(0, 1).createSampler(streams.open()::nextLong);
    return (into, from, count) -> {
      for (int i = from; i < from + count; i++) {
        into[i] = sampler.sample();
      }
    };
  }
}
