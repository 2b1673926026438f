package io.elastune.simulator;

import io.elastune.core.random.RandomStreams;
import java.util.Arrays;

/** A distribution that always returns {@code mean}. */
record Constant(double mean) implements Law {
  @Override
  public boolean varies() {
    return false;
  }

  @Override
  public Source open(RandomStreams streams) {
    return (into, from, count) -> Arrays.fill(into, from, from + count, mean);
  }
}
