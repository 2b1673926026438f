package io.elastune.simulator.draw;

import io.elastune.core.random.RandomStreams;
import java.util.Arrays;

/** A distribution that always returns {@code mean}. */
public record ConstantDraws(double mean) implements DrawDistribution {
  @Override
  public boolean varies() {
    return false;
  }

  @Override
  public DrawSource open(RandomStreams streams) {
    return (into, from, count) -> Arrays.fill(into, from, from + count, mean);
  }

  @Override
  public double first(RandomStreams streams) {
    return mean;
  }
}
