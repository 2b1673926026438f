package io.elastune.provisioner.process;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one after the other on a single daemon thread. State that only tasks use needs no
 * locks, and events keep their order. A task that fails is logged and does not affect others. After
 * {@link #close}, new tasks are dropped.
 */
public final class EventLoop implements Executor, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EventLoop.class);

  /** A suspension counts as at most one of these parts of a deadline. */
  private static final int DEADLINE_PARTS = 10;

  private final ScheduledExecutorService thread;

  /** Creates a loop whose thread has this name and starts at the first task. */
  public EventLoop(String name) {
    thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread made = new Thread(task, name);
              made.setDaemon(true);
              return made;
            });
  }

  @Override
  public void execute(Runnable task) {
    schedule(Duration.ZERO, task);
  }

  /** Runs the task after a delay. */
  public void schedule(Duration delay, Runnable task) {
    try {
      var unused = thread.schedule(() -> runSafely(task), delay.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("task dropped: the event loop is closed");
    }
  }

  /**
   * Runs the task after a delay in which this loop runs. While the process is suspended, or the
   * loop is busy, the time does not count: answers that arrive meanwhile are handled before.
   */
  public void scheduleDeadline(Duration delay, Runnable task) {
    countDown(delay.dividedBy(DEADLINE_PARTS), DEADLINE_PARTS, task);
  }

  private void countDown(Duration part, int parts, Runnable task) {
    schedule(part, parts == 1 ? task : () -> countDown(part, parts - 1, task));
  }

  /** Drops waiting tasks and interrupts the running one. */
  @Override
  public void close() {
    var unused = thread.shutdownNow();
  }

  private static void runSafely(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      LOG.error("event loop task failed", e); // The scheduler would not log it.
    }
  }
}
