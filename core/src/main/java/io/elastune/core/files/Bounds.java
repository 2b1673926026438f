package io.elastune.core.files;

import io.elastune.core.files.schema.Codec;
import io.elastune.core.files.schema.Numbers;
import io.elastune.core.time.Durations;

/**
 * The largest numbers that files may contain. They are far above realistic values and small enough
 * that no sum or product overflows.
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

  /** Returns the codec for seconds, including 0. */
  static Codec<Double> seconds() {
    return Numbers.between(0, MOST_S, "seconds");
  }

  /** Returns the codec for seconds of at least {@code least}. */
  static Codec<Double> seconds(double least) {
    return Numbers.between(least, MOST_S, "seconds");
  }

  /** Returns the codec for amounts of money, including 0; {@code unit} is e.g. "USD per hour". */
  static Codec<Double> usd(String unit) {
    return Numbers.between(0, MOST_USD, unit);
  }

  /** Returns the codec for amounts of money above 0. */
  static Codec<Double> someUsd(String unit) {
    return Numbers.above0(MOST_USD, unit);
  }

  /** Returns the codec for coefficients of variation. */
  static Codec<Double> cv() {
    return Numbers.between(0, MOST_CV, "");
  }
}
