package io.elastune.provisioner;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits in tests for what other threads do. */
public final class Waiting {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration STEP = Duration.ofMillis(20);

  private Waiting() {}

  /** Until something is so; fails if that takes minutes. */
  public static void until(BooleanSupplier condition, Object soFar) {
    long last = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - last > 0) {
        throw new AssertionError("waited in vain; so far: " + soFar);
      }
      pause(STEP);
    }
  }

  /** For that long, in real time. */
  public static void pause(Duration time) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
