package io.elastune.executor.journal;

import java.time.Instant;

/** Converts times to and from nanoseconds since 1970; valid until 2262. */
final class Nanoseconds {
  private static final long PER_S = 1_000_000_000;

  private Nanoseconds() {}

  static long of(Instant at) {
    return Math.addExact(Math.multiplyExact(at.getEpochSecond(), PER_S), at.getNano());
  }

  static Instant toInstant(long nanos) {
    return Instant.ofEpochSecond(Math.floorDiv(nanos, PER_S), Math.floorMod(nanos, PER_S));
  }
}
