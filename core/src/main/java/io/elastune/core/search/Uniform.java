package io.elastune.core.search;

import java.util.random.RandomGenerator;

/** Draws numbers that are the same with every JDK version. */
final class Uniform {
  private static final int UNUSED_BITS = 11;
  private static final double UNIT = 0x1.0p-53;

  private Uniform() {}

  /** Returns a number from 0, below 1. */
  static double of(RandomGenerator random) {
    return (random.nextLong() >>> UNUSED_BITS) * UNIT;
  }
}
