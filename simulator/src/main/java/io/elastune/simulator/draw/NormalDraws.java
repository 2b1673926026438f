package io.elastune.simulator.draw;

import io.elastune.core.random.RandomStreams;
import io.elastune.core.random.StreamGenerator;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ContinuousSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/** The standard normal distribution. */
public record NormalDraws() implements DrawDistribution {
  /**
   * The numbers of a stream for the library. It is no lambda expression: without optimizing
   * compiler, to create one that refers to a variable takes as long as to draw several numbers.
   */
  private record Numbers(StreamGenerator random) implements UniformRandomProvider {
    @Override
    public long nextLong() {
      return random.nextLong();
    }
  }

  private record Source(ContinuousSampler sampler) implements DrawSource {
    @Override
    public void fill(double[] into, int from, int count) {
      for (int i = from; i < from + count; i++) {
        into[i] = sampler.sample();
      }
    }
  }

  @Override
  public double mean() {
    return 0;
  }

  @Override
  public DrawSource open(RandomStreams streams) {
    return new Source(sampler(streams));
  }

  @Override
  public double first(RandomStreams streams) {
    return sampler(streams).sample();
  }

  /** Returns a sampler at the start of {@code streams}. */
  static ContinuousSampler sampler(RandomStreams streams) {
    return ZigguratSampler.NormalizedGaussian.of(new Numbers(streams.open()));
  }
}
