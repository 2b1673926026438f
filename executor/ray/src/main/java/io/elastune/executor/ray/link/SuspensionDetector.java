package io.elastune.executor.ray.link;

import java.time.Duration;
import java.time.Instant;

/**
 * Detects that this process was suspended, such as by SIGSTOP. Nodes cannot be expected to have
 * answered in that time, so it does not count towards their silence.
 */
final class SuspensionDetector {
  private static final int LATE = 2;

  private final Duration interval;
  private Instant last;

  /** Creates a detector that is called at least once per interval, from {@code now} on. */
  SuspensionDetector(Duration interval, Instant now) {
    this.interval = interval;
    last = now;
  }

  /** Returns how long the process was suspended since the last call; zero if it was not. */
  Duration suspendedUntil(Instant now) {
    Duration passed = Duration.between(last, now);
    last = now;
    boolean late = passed.compareTo(interval.multipliedBy(LATE)) > 0;
    return late ? passed.minus(interval) : Duration.ZERO;
  }
}
