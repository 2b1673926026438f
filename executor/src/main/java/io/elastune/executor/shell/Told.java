package io.elastune.executor.shell;

import io.elastune.executor.core.RunEvent;
import java.time.InstantSource;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What a run has been told, by its doors and by whoever asks it to stop, from any thread. */
public final class Told {
  static final int TERMINATED = 143;

  private final BlockingQueue<RunEvent> queue = new LinkedBlockingQueue<>();

  /** Tells something. */
  public void add(RunEvent event) {
    queue.add(event);
  }

  /**
   * The next thing that was told; waits at most {@code millis} for it. An interrupt of the run's
   * thread is a request to stop at once.
   *
   * @param time what time it is for the run
   */
  public @Nullable RunEvent poll(long millis, InstantSource time) {
    try {
      return queue.poll(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new RunEvent.StopAsked(TERMINATED, true, "an interrupt of its thread", time.instant());
    }
  }
}
