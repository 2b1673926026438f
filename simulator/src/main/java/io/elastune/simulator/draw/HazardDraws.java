package io.elastune.simulator.draw;

import java.util.random.RandomGenerator;

/**
 * Draws of hazards, which are exponential with mean 1, and of uniform numbers. Without optimizing
 * compiler, they take less time than those of a library with more layers.
 */
public final class HazardDraws {
  private static final double PER_53_BITS = 0x1.0p-53;

  private HazardDraws() {}

  /** Draws a uniform number in [0, 1). */
  public static double fraction(RandomGenerator random) {
    return (random.nextLong() >>> 11) * PER_53_BITS;
  }

  /** Draws the hazard until a fault. */
  public static double hazard(RandomGenerator random) {
    return hazard(fraction(random));
  }

  /** Returns the hazard until a fault of a uniform draw, which is at most the hazard. */
  public static double hazard(double uniform) {
    return -Math.log1p(-uniform);
  }
}
