package io.elastune.provisioner;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits in tests for the effects of other threads. */
public final class TestWait {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration STEP = Duration.ofMillis(20);

  private TestWait() {}

  /** Waits until a condition holds; fails after some minutes. */
  public static void until(BooleanSupplier condition, Object soFar) {
    long last = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - last > 0) {
        throw new AssertionError("timed out waiting; state: " + soFar);
      }
      pause(STEP);
    }
  }

  /** Sleeps in real time. */
  public static void pause(Duration time) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
