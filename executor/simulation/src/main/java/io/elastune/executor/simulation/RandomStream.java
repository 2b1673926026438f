package io.elastune.executor.simulation;

import io.elastune.core.Spread;
import io.elastune.core.random.RandomStreams;
import java.util.function.LongSupplier;

/**
 * Draws from one named random stream. A stream depends only on its name and the seed, so draws for
 * one trial or instance do not affect any other.
 */
public final class RandomStream {
  private static final double PER_53_BITS = 0x1.0p-53;

  private final RandomStreams streams;
  private LongSupplier bits = this::first;

  private RandomStream(RandomStreams streams) {
    this.streams = streams;
  }

  /**
   * Opens the stream at its first draw: most streams only lead to others and are never drawn from.
   */
  private long first() {
    bits = streams.open()::nextLong;
    return bits.getAsLong();
  }

  /** Returns the root of all streams of {@code seed}. */
  public static RandomStream of(long seed) {
    return new RandomStream(RandomStreams.of(seed));
  }

  /** Returns the substream with this name. */
  public RandomStream substream(String name) {
    return new RandomStream(streams.at(name));
  }

  /** Returns the substream with this number. */
  public RandomStream substream(long number) {
    return new RandomStream(streams.at(number));
  }

  /** Draws a uniform number in [0, 1). */
  public double fraction() {
    return (bits.getAsLong() >>> 11) * PER_53_BITS;
  }

  /** Draws a uniform number between two bounds. */
  public double between(double low, double high) {
    return low + fraction() * (high - low);
  }

  /** Draws a uniform integer from 0 to {@code count − 1}. */
  public int intBelow(int count) {
    return (int) (fraction() * count);
  }

  /** Draws whether an event with this probability occurs; draws nothing if the probability is 0. */
  public boolean happens(double probability) {
    return probability > 0 && fraction() < probability;
  }

  /** Draws an exponentially distributed waiting time with this mean. */
  public double exponential(double mean) {
    return -mean * Math.log1p(-fraction());
  }

  /**
   * Draws from the log-normal distribution with this mean and coefficient of variation; returns the
   * mean if there is no variation.
   */
  public double of(Spread spread) {
    return spread.mean() == 0 || spread.cv() == 0 ? spread.mean() : spread.logNormal(normal());
  }

  /** Draws from the standard normal distribution (polar Box–Muller method). */
  public double normal() {
    while (true) {
      double x = between(-1, 1);
      double y = between(-1, 1);
      double square = x * x + y * y;
      if (square > 0 && square < 1) {
        return x * Math.sqrt(-2 * Math.log(square) / square);
      }
    }
  }
}
