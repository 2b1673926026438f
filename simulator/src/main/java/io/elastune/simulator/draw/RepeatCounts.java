package io.elastune.simulator.draw;

import io.elastune.core.random.RandomStreams;
import java.util.random.RandomGenerator;

/**
 * How often a fault with a probability {@code p} repeats something: at least {@code k} times with
 * probability {@code p^k}. One random number decides, so a higher probability repeats nothing less
 * often.
 *
 * @param probability probability {@code p} of the fault
 */
public record RepeatCounts(double probability) implements DrawDistribution {
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
    RandomGenerator random = streams.open();
    return (into, from, count) -> {
      for (int i = from; i < from + count; i++) {
        into[i] = times(HazardDraws.fraction(random));
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
