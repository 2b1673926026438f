package io.elastune.core.time;

import java.time.Duration;
import java.time.Instant;

/** Moments and lengths of time in seconds, as the model counts them, to the nanosecond. */
public final class Seconds {
  private static final double NANOS_PER_S = 1e9;

  private Seconds() {}

  /** Seconds from {@code from} to {@code to}; negative if that is earlier. */
  public static double between(Instant from, Instant to) {
    long whole = to.getEpochSecond() - from.getEpochSecond();
    int rest = to.getNano() - from.getNano();
    return whole + rest / NANOS_PER_S;
  }

  /** The length of {@code duration}; of any, where its nanoseconds do not fit into a long. */
  public static double of(Duration duration) {
    return duration.getSeconds() + duration.getNano() / NANOS_PER_S;
  }

  /** The moment {@code seconds} after {@code start}, to the nearest nanosecond. */
  public static Instant after(Instant start, double seconds) {
    return start.plusNanos(Math.round(seconds * NANOS_PER_S));
  }
}
