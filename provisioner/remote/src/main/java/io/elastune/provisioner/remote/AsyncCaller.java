package io.elastune.provisioner.remote;

import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.process.EventLoop;
import io.elastune.provisioner.process.UnexpectedFailure;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs blocking calls to a cloud on a thread pool and delivers their results to an event loop: to
 * an observer, and then to the caller.
 */
final class AsyncCaller implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AsyncCaller.class);

  /** Calls that run at the same time. */
  static final int THREADS = 8;

  private final EventLoop loop;
  private final ExecutorService threads;
  private final Observer observer;

  /** Observes the results of calls, in the event loop. */
  interface Observer {
    /** Handles a call that succeeded. */
    void succeeded();

    /** Handles a call that failed. */
    void failed(CloudFailure failure);
  }

  /** Observes nothing. */
  private enum NoObserver implements Observer {
    INSTANCE;

    @Override
    public void succeeded() {}

    @Override
    public void failed(CloudFailure failure) {}
  }

  /** Creates a caller that delivers results to {@code loop}. */
  AsyncCaller(EventLoop loop) {
    this(
        loop,
        Executors.newFixedThreadPool(
            THREADS,
            task -> {
              Thread made = new Thread(task, "elastune-cloud-call");
              made.setDaemon(true);
              return made;
            }),
        NoObserver.INSTANCE);
  }

  private AsyncCaller(EventLoop loop, ExecutorService threads, Observer observer) {
    this.loop = loop;
    this.threads = threads;
    this.observer = observer;
  }

  /** Returns a caller with the same threads whose results {@code other} observes. */
  AsyncCaller observedBy(Observer other) {
    return new AsyncCaller(loop, threads, other);
  }

  /**
   * Runs a task that is repeated anyway: its failure is logged, and affects no other task. To be
   * called in the loop.
   */
  void runRepeated(String what, Runnable task) {
    run(EventLoop.Owner.repeated(what), task);
  }

  /** Runs a task whose failure {@code failed} handles. To be called in the loop. */
  void run(EventLoop.Owner failed, Runnable task) {
    loop.own(failed, task);
  }

  /** Schedules the call; then runs one of the two callbacks in the loop. */
  <T> void call(Supplier<T> call, Consumer<T> answered, Consumer<CloudFailure> failed) {
    new Call<>(call, answered, failed).begin();
  }

  /**
   * One call, which has one outcome: its answer, or a failure. Whatever is thrown while it is made
   * or handled leaves the outcome unknown.
   */
  private final class Call<T> {
    private final Supplier<T> call;
    private final Consumer<T> answered;
    private final Consumer<CloudFailure> failed;
    private boolean hasFailed;

    Call(Supplier<T> call, Consumer<T> answered, Consumer<CloudFailure> failed) {
      this.call = call;
      this.answered = answered;
      this.failed = failed;
    }

    void begin() {
      own(() -> loop.blocking(threads).execute(this::make));
    }

    private void own(Runnable task) {
      loop.own(this::broken, task);
    }

    private void make() {
      try {
        T answer = call.get();
        loop.execute(
            () -> {
              observer.succeeded();
              answered.accept(answer);
            });
      } catch (CloudException e) {
        loop.execute(() -> fail(e.failure()));
      }
    }

    private void broken(Throwable error) {
      fail(
          new CloudFailure.UnknownOutcome(UnexpectedFailure.text(LOG, "a call to a cloud", error)));
    }

    private void fail(CloudFailure failure) {
      if (!hasFailed) {
        hasFailed = true;
        observer.failed(failure);
        failed.accept(failure);
      }
    }
  }

  /** Lets running calls finish; their results are dropped. */
  @Override
  public void close() {
    threads.shutdown();
  }
}
