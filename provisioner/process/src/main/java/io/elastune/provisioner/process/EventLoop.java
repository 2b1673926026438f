package io.elastune.provisioner.process;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one after the other on a single daemon thread. State that only tasks use needs no
 * locks, and events keep their order. After {@link #close}, new tasks are dropped.
 *
 * <p>All asynchronous work of engines and providers passes an event loop, and every task has an
 * outcome. A task belongs to an owner, such as an attempt or a lease, and so does everything that
 * it starts: later tasks, tasks on threads that may block, and threads. Whatever one of them
 * throws, errors included, reaches the owner on the event loop. A task without an owner that fails
 * is logged and does not affect others.
 */
public final class EventLoop implements Executor, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EventLoop.class);

  /** A suspension counts as at most one of these parts of a deadline. */
  private static final int DEADLINE_PARTS = 10;

  private static final ThreadLocal<@Nullable Owner> CURRENT = new ThreadLocal<>();

  private final ScheduledExecutorService thread;
  private final String name;
  private final Faults faults;

  /** What ends if one of its tasks fails. */
  public interface Owner {
    /** Ends what the owner stands for; called on the event loop, perhaps several times. */
    void failed(Throwable error);

    /** Returns the owner of a task that is repeated anyway: its failure is logged. */
    static Owner repeated(String what) {
      return error -> LOG.warn("{} failed, and is repeated: {}", what, error.toString());
    }

    /** Returns an owner that runs {@code next} after a failure. */
    default Owner then(Runnable next) {
      return error -> {
        failed(error);
        next.run();
      };
    }
  }

  /** Injects faults into the tasks of owners, for tests. */
  public interface Faults {
    /** Injects none. */
    Faults NONE = () -> {};

    /** Called before a task of an owner; throws to let it fail. */
    void beforeTask();
  }

  /** Creates a loop whose thread has this name and starts at the first task. */
  public EventLoop(String name) {
    this(name, Faults.NONE);
  }

  /** Creates a loop with faults, for tests. */
  public EventLoop(String name, Faults faults) {
    this.name = name;
    this.faults = faults;
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

  /** Runs a task of an owner. Usable on every thread. */
  public void execute(Owner owner, Runnable task) {
    execute(() -> own(owner, task));
  }

  /** Runs the task after a delay. */
  public void schedule(Duration delay, Runnable task) {
    Optional<Owner> owner = owner();
    try {
      var unused =
          thread.schedule(() -> runFor(owner, task), delay.toNanos(), TimeUnit.NANOSECONDS);
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

  /** Runs the task now, and then again and again after a delay, also if it fails. */
  public void repeat(Duration delay, Runnable task) {
    schedule(delay, () -> repeat(delay, task)); // first: the task may fail
    runFor(owner(), task);
  }

  /** Runs a task of an owner now. To be called on the event loop. */
  public void own(Owner owner, Runnable task) {
    runFor(Optional.of(owner), task);
  }

  /** Passes the result or the failure of a stage to a task on the event loop. */
  public <T> void whenComplete(
      CompletionStage<T> stage, BiConsumer<? super @Nullable T, ? super @Nullable Throwable> next) {
    Optional<Owner> owner = owner();
    var unused =
        stage.whenComplete(
            (value, failure) ->
                as(owner, () -> execute(() -> next.accept(value, unwrapped(failure)))));
  }

  private static @Nullable Throwable unwrapped(@Nullable Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  /**
   * Returns an executor for tasks that may block, which run on other threads.
   *
   * @param threads runs them
   */
  public Executor blocking(Executor threads) {
    return task -> {
      Optional<Owner> owner = owner();
      try {
        threads.execute(() -> attempt(owner, task));
      } catch (RejectedExecutionException e) {
        LOG.debug("task dropped: the threads of {} have ended", name);
      } catch (RuntimeException | Error e) { // such as no memory for another thread
        fail(owner, e);
      }
    };
  }

  /**
   * Starts a daemon thread, such as one that reads the output of a process.
   *
   * @param atEnd runs after the task in any case
   */
  public void startThread(String threadName, Runnable task, Runnable atEnd) {
    Optional<Owner> owner = owner();
    Runnable whole =
        () -> {
          try {
            attempt(owner, task);
          } finally {
            atEnd.run();
          }
        };
    Thread made = new Thread(whole, threadName);
    made.setDaemon(true);
    made.start();
  }

  /** Runs a task on a thread that is not that of the loop. */
  private void attempt(Optional<Owner> owner, Runnable task) {
    run(owner, task, error -> fail(owner, error));
  }

  private void fail(Optional<Owner> owner, Throwable error) {
    execute(() -> deliver(owner, error));
  }

  /** Drops waiting tasks and interrupts the running one. */
  @Override
  public void close() {
    var unused = thread.shutdownNow();
  }

  private static Optional<Owner> owner() {
    return Optional.ofNullable(CURRENT.get());
  }

  private static void as(Optional<Owner> owner, Runnable task) {
    Optional<Owner> before = owner();
    set(owner);
    try {
      task.run();
    } finally {
      set(before);
    }
  }

  private static void set(Optional<Owner> owner) {
    owner.ifPresentOrElse(CURRENT::set, CURRENT::remove);
  }

  private void runFor(Optional<Owner> owner, Runnable task) {
    run(owner, task, error -> deliver(owner, error));
  }

  private void run(Optional<Owner> owner, Runnable task, Consumer<Throwable> failed) {
    as(
        owner,
        () -> {
          try {
            if (owner.isPresent()) {
              faults.beforeTask();
            }
            task.run();
          } catch (RuntimeException | Error e) {
            failed.accept(e);
          }
        });
  }

  private void deliver(Optional<Owner> owner, Throwable error) {
    if (owner.isEmpty()) {
      LOG.error("event loop task failed", error); // The scheduler would not log it.
      return;
    }
    LOG.debug("a task of {} failed", name, error);
    try {
      owner.get().failed(error);
    } catch (RuntimeException | Error again) {
      LOG.error("ending the work of {} failed", name, again);
    }
  }
}
