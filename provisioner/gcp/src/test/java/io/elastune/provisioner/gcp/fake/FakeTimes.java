package io.elastune.provisioner.gcp.fake;

import java.time.Duration;

/** How long an instance of the fake is pending, boots and shuts down. */
public record FakeTimes(Duration queue, Duration boot, Duration shutdown) {
  public static final FakeTimes NONE = new FakeTimes(Duration.ZERO, Duration.ZERO, Duration.ZERO);

  public static FakeTimes millis(long queue, long boot, long shutdown) {
    return new FakeTimes(
        Duration.ofMillis(queue), Duration.ofMillis(boot), Duration.ofMillis(shutdown));
  }
}
