package io.elastune.simulator.draw;

import io.elastune.core.random.RandomStreams;
import java.util.random.RandomGenerator;

/** The uniform distribution between 0 and 1. */
public final class UniformDraws implements DrawDistribution {
  @Override
  public double mean() {
    return 0.5;
  }

  @Override
  public DrawSource open(RandomStreams streams) {
    RandomGenerator random = streams.open();
    return (into, from, count) -> {
      for (int i = from; i < from + count; i++) {
        into[i] = HazardDraws.fraction(random);
      }
    };
  }
}
