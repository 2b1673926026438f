package io.elastune.provisioner.aws.fake;

import java.time.Duration;

/** The durations of pending, booting and shutting down of a fake instance. */
public record FakeTimes(Duration queue, Duration boot, Duration shutdown) {
  public static final FakeTimes NONE = new FakeTimes(Duration.ZERO, Duration.ZERO, Duration.ZERO);

  public static FakeTimes millis(long queue, long boot, long shutdown) {
    return new FakeTimes(
        Duration.ofMillis(queue), Duration.ofMillis(boot), Duration.ofMillis(shutdown));
  }
}
