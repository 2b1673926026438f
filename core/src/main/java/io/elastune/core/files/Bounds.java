package io.elastune.core.files;

import io.elastune.core.files.schema.Codec;
import io.elastune.core.files.schema.Numbers;
import io.elastune.core.time.Durations;

/**
 * The largest numbers that files may hold: far beyond anything real, and so small that no sum or
 * product of them overflows.
 */
final class Bounds {
  static final int MOST_INSTANCES = 10_000;
  static final int MOST_GPUS_PER_INSTANCE = 1000;
  static final int MOST_GPUS_PER_TRIAL = 100_000;
  static final int MOST_TRIALS_PER_GPU = 64;

  private static final double MOST_S = Durations.LONGEST.toSeconds();
  private static final double MOST_USD = 1e9;
  private static final double MOST_CV = 100;

  private Bounds() {}

  /** Seconds, 0 included. */
  static Codec<Double> seconds() {
    return Numbers.between(0, MOST_S, "seconds");
  }

  /** Seconds of at least {@code least}. */
  static Codec<Double> seconds(double least) {
    return Numbers.between(least, MOST_S, "seconds");
  }

  /** Money, 0 included; {@code unit} such as USD per hour. */
  static Codec<Double> usd(String unit) {
    return Numbers.between(0, MOST_USD, unit);
  }

  /** Money above 0. */
  static Codec<Double> someUsd(String unit) {
    return Numbers.above0(MOST_USD, unit);
  }

  /** A coefficient of variation. */
  static Codec<Double> cv() {
    return Numbers.between(0, MOST_CV, "");
  }
}
