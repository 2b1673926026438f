package io.elastune.simulator.draw;

import io.elastune.core.random.RandomStreams;

/** The uniform distribution between 0 and 1. */
public final class UniformDraws implements DrawDistribution {
  @Override
  public double mean() {
    return 0.5;
  }

  @Override
  public DrawSource open(RandomStreams streams) {
    return streams.open()::fractions;
  }
}
