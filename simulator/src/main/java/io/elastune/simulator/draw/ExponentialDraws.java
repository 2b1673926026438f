package io.elastune.simulator.draw;

import io.elastune.core.random.RandomStreams;
import java.util.random.RandomGenerator;

/** The exponential distribution with mean 1: the hazard until an instance is lost. */
public final class ExponentialDraws implements DrawDistribution {
  @Override
  public double mean() {
    return 1;
  }

  @Override
  public DrawSource open(RandomStreams streams) {
    RandomGenerator random = streams.open();
    return (into, from, count) -> {
      for (int i = from; i < from + count; i++) {
        into[i] = HazardDraws.hazard(random);
      }
    };
  }
}
