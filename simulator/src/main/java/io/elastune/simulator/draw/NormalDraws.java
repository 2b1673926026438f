package io.elastune.simulator.draw;

import io.elastune.core.random.RandomStreams;
import org.apache.commons.statistics.distribution.ContinuousDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;

/** The standard normal distribution. */
public record NormalDraws() implements DrawDistribution {
  /** Created once, because that takes much longer than a few draws. */
  private static final NormalDistribution STANDARD = NormalDistribution.of(0, 1);

  @Override
  public double mean() {
    return 0;
  }

  @Override
  public DrawSource open(RandomStreams streams) {
    var sampler = sampler(streams);
    return (into, from, count) -> {
      for (int i = from; i < from + count; i++) {
        into[i] = sampler.sample();
      }
    };
  }

  /** Returns a sampler at the start of {@code streams}. */
  static ContinuousDistribution.Sampler sampler(RandomStreams streams) {
    return STANDARD.createSampler(streams.open()::nextLong);
  }
}
