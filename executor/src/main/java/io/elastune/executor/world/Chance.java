package io.elastune.executor.world;

import io.elastune.core.Spread;
import io.elastune.simulator.Streams;
import java.util.function.LongSupplier;

/**
 * Draws from one named random stream. A stream depends on its name and the seed alone, so that what
 * is drawn for one trial or instance leaves all others as they were.
 */
public final class Chance {
  private static final double PER_53_BITS = 0x1.0p-53;

  private final Streams streams;
  private LongSupplier bits = this::first;

  private Chance(Streams streams) {
    this.streams = streams;
  }

  /** Most streams are only a step on the way to others, and never drawn from. */
  private long first() {
    bits = streams.open()::nextLong;
    return bits.getAsLong();
  }

  /** The root of all streams of {@code seed}. */
  public static Chance of(long seed) {
    return new Chance(Streams.of(seed));
  }

  /** The stream called {@code name} below this one. */
  public Chance at(String name) {
    return new Chance(streams.at(name));
  }

  /** The stream numbered {@code number} below this one. */
  public Chance at(long number) {
    return new Chance(streams.at(number));
  }

  /** Evenly from 0 (included) to 1 (not). */
  public double share() {
    return (bits.getAsLong() >>> 11) * PER_53_BITS;
  }

  /** Evenly between two numbers. */
  public double between(double low, double high) {
    return low + share() * (high - low);
  }

  /** One of 0 … {@code count − 1}, each equally likely. */
  public int below(int count) {
    return (int) (share() * count);
  }

  /** Whether something of that probability happens; draws nothing where it never does. */
  public boolean happens(double probability) {
    return probability > 0 && share() < probability;
  }

  /** Waiting time for something that happens without memory, {@code mean} on average. */
  public double waiting(double mean) {
    return -mean * Math.log1p(-share());
  }

  /** Log-normal by mean and coefficient of variation; always the mean where it does not vary. */
  public double of(Spread spread) {
    if (spread.mean() == 0 || spread.cv() == 0) {
      return spread.mean();
    }
    double variance = Math.log1p(spread.cv() * spread.cv());
    return spread.mean() * Math.exp(Math.sqrt(variance) * normal() - variance / 2);
  }

  /** Standard normal, by the polar form of the method of Box and Muller. */
  private double normal() {
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
