package io.elastune.simulator;

import java.util.random.RandomGenerator;

/**
 * The times of the faults that a prediction under a policy omits ({@link OmittedFaults}), in one
 * sample. They are one Poisson process: the next one occurs when the accumulated hazard since the
 * last one reaches an exponential draw. Hazard accumulates over time at the sum of all rates.
 */
final class FaultClock {
  /** Most faults in one sample: at rates that allow no progress, none follow. */
  private static final int MOST_FAULTS = 1000;

  private final RandomGenerator random;
  private double remaining;
  private int faults;

  /**
   * Creates a clock.
   *
   * @param random decides all faults
   */
  FaultClock(RandomGenerator random) {
    this.random = random;
    remaining = exponential();
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
    return HazardDraws.hazard(random);
  }

  /** Draws a uniform number in [0, 1). */
  double fraction() {
    return HazardDraws.fraction(random);
  }
}
