package io.elastune.simulator;

import java.util.random.RandomGenerator;

/**
 * The times of faults in one sample of one chain. Faults are a Poisson process: the next one occurs
 * when the accumulated hazard since the last one reaches an exponential draw (docs/model.md,
 * "Faults"). Hazard accumulates over time at the sum of all rates.
 */
final class FaultClock {
  /** Faults of a chain in one sample; at rates that allow no progress, none follow. */
  private static final int MOST_FAULTS = 1000;

  private static final double PER_53_BITS = 0x1.0p-53;

  private final RandomGenerator random;
  private double remaining;
  private int faults;

  /**
   * Creates a clock.
   *
   * @param first hazard until the first fault
   * @param random decides everything that follows the first fault
   */
  FaultClock(double first, RandomGenerator random) {
    this.remaining = first;
    this.random = random;
  }

  /** Creates a clock whose first fault {@code random} decides, too. */
  static FaultClock of(RandomGenerator random) {
    FaultClock clock = new FaultClock(0, random);
    clock.remaining = clock.exponential();
    return clock;
  }

  /** Returns the seconds until the next fault at a constant rate per second. */
  double untilS(double ratePerS) {
    return ratePerS > 0 ? remaining / ratePerS : Double.POSITIVE_INFINITY;
  }

  /** Lets the time pass until a fault occurs, and starts again. */
  void strike() {
    remaining = exponential();
    if (++faults >= MOST_FAULTS) {
      remaining = Double.POSITIVE_INFINITY;
    }
  }

  /** Accumulates the hazard of {@code seconds} without a fault. */
  void pass(double ratePerS, double seconds) {
    remaining -= ratePerS * seconds;
  }

  /** Draws an exponential number with mean 1. */
  double exponential() {
    return -Math.log1p(-fraction());
  }

  /** Draws a uniform number in [0, 1). */
  double fraction() {
    return (random.nextLong() >>> 11) * PER_53_BITS;
  }
}
