package io.elastune.provisioner.host;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread of a door's kind: whatever happens in it happens here, one thing after the other,
 * so that its state needs no locks and its events keep their order. It does not keep the JVM alive.
 * A task that fails is logged and disturbs no other; after {@link #close} tasks are dropped.
 */
public final class EventLoop implements Executor, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EventLoop.class);

  private final ScheduledExecutorService thread;

  /** Starts the thread at the first task. */
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
    after(Duration.ZERO, task);
  }

  /** Runs the task so much later. */
  public void after(Duration delay, Runnable task) {
    try {
      var unused = thread.schedule(() -> runSafely(task), delay.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("a task came after the end");
    }
  }

  /** Drops what waits, and interrupts what runs. */
  @Override
  public void close() {
    var unused = thread.shutdownNow();
  }

  private static void runSafely(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      LOG.error("a task failed", e); // The scheduler would keep it to itself.
    }
  }
}
