package io.elastune.executor.core;

import java.time.Duration;
import java.time.Instant;

/** Seconds between two moments, as the model counts them. */
final class Seconds {
  private Seconds() {}

  static double between(Instant from, Instant to) {
    return Duration.between(from, to).toNanos() / 1e9;
  }
}
