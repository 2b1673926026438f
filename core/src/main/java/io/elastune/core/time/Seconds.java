package io.elastune.core.time;

import java.time.Duration;
import java.time.Instant;

/** Converts between {@link Instant}, {@link Duration} and seconds as a {@code double}. */
public final class Seconds {
  private static final double NANOS_PER_S = 1e9;

  private Seconds() {}

  /** Returns the seconds from {@code from} to {@code to}; negative if {@code to} is earlier. */
  public static double between(Instant from, Instant to) {
    long whole = to.getEpochSecond() - from.getEpochSecond();
    int rest = to.getNano() - from.getNano();
    return whole + rest / NANOS_PER_S;
  }

  /** Returns the length of {@code duration} in seconds, without overflow for any duration. */
  public static double of(Duration duration) {
    return duration.getSeconds() + duration.getNano() / NANOS_PER_S;
  }

  /** Returns the instant {@code seconds} after {@code start}, to the nearest nanosecond. */
  public static Instant after(Instant start, double seconds) {
    return start.plusNanos(Math.round(seconds * NANOS_PER_S));
  }
}
