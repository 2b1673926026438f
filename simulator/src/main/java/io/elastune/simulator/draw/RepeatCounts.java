package io.elastune.simulator.draw;

import io.elastune.core.random.RandomStreams;
import io.elastune.core.random.StreamGenerator;

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
    StreamGenerator random = streams.open();
    return (into, from, count) -> {
      random.fractions(into, from, count);
      for (int i = from; i < from + count; i++) {
        into[i] = into[i] < probability ? times(into[i]) : 0;
      }
    };
  }

  @Override
  public double first(RandomStreams streams) {
    double uniform = streams.open().nextFraction();
    return uniform < probability ? times(uniform) : 0;
  }

  /**
   * Multiplies values by 1 plus a fraction of the next counts. Most counts are 0, and are not even
   * computed.
   */
  void repeat(StreamGenerator random, double fraction, double[] values, int from, int count) {
    for (int i = from; i < from + count; i++) {
      double uniform = random.nextFraction();
      if (uniform < probability) {
        values[i] *= 1 + fraction * times(uniform);
      }
    }
  }

  private int times(double uniform) {
    int times = 0;
    for (double least = probability; uniform < least && times < MOST; least *= probability) {
      times++;
    }
    return times;
  }
}
