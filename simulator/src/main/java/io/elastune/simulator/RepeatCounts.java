package io.elastune.simulator;

import io.elastune.core.random.RandomStreams;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * How often a fault with a probability {@code p} repeats something: at least {@code k} times with
 * probability {@code p^k}. One random number decides, so a higher probability repeats nothing less
 * often.
 *
 * @param probability probability {@code p} of the fault
 */
record RepeatCounts(double probability) implements DrawDistribution {
  /** The most repetitions; at a probability of 1 there would be no end. */
  private static final int MOST = 1000;

  @Override
  public double mean() {
    return probability < 1 ? probability / (1 - probability) : MOST;
  }

  @Override
  public boolean varies() {
    return probability > 0;
  }

  @Override
  public DrawSource open(RandomStreams streams) {
    UniformRandomProvider random = streams.open()::nextLong;
    return (into, from, count) -> {
      for (int i = from; i < from + count; i++) {
        into[i] = times(random.nextDouble());
      }
    };
  }

  private int times(double uniform) {
    int times = 0;
    for (double least = probability; uniform < least && times < MOST; least *= probability) {
      times++;
    }
    return times;
  }
}
