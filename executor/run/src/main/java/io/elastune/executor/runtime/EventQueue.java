package io.elastune.executor.runtime;

import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunOutcome;
import java.time.InstantSource;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Thread-safe queue of events and stop requests for one run. */
public final class EventQueue {
  private final BlockingQueue<RunEvent> queue = new LinkedBlockingQueue<>();

  /** Adds an event. */
  public void add(RunEvent event) {
    queue.add(event);
  }

  /**
   * Returns the next event, or null if none arrives within {@code millis}. An interrupt of the
   * run's thread becomes a request to stop immediately.
   *
   * @param time the clock of the run
   */
  public @Nullable RunEvent poll(long millis, InstantSource time) {
    try {
      return queue.poll(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new RunEvent.StopAsked(
          RunOutcome.TERMINATED, true, "an interrupt of its thread", time.instant());
    }
  }
}
