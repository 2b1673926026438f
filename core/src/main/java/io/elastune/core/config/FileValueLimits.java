package io.elastune.core.config;

import io.elastune.core.config.codec.Codec;
import io.elastune.core.config.codec.NumberCodecs;
import io.elastune.core.field.Bounds;

/**
 * The largest numbers that files may contain. They are far above realistic values and small enough
 * that no sum or product overflows.
 */
final class FileValueLimits {
  static final int MAX_GPUS_PER_INSTANCE = 1000;
  static final int MAX_GPUS_PER_TRIAL = 100_000;
  static final int MAX_TRIALS_PER_GPU = 64;

  private FileValueLimits() {}

  /** Returns the codec for seconds, including 0. */
  static Codec<Double> seconds() {
    return NumberCodecs.between(0, Bounds.MOST_S, "seconds");
  }

  /** Returns the codec for seconds of at least {@code least}. */
  static Codec<Double> seconds(double least) {
    return NumberCodecs.between(least, Bounds.MOST_S, "seconds");
  }

  /** Returns the codec for amounts of money, including 0; {@code unit} is e.g. "USD per hour". */
  static Codec<Double> usd(String unit) {
    return NumberCodecs.between(0, Bounds.MOST_USD, unit);
  }
}
