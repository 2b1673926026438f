package io.elastune.provisioner.remote;

import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.process.EventLoop;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs blocking calls to a cloud on a thread pool and delivers their results to an event loop. */
final class AsyncCaller implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AsyncCaller.class);
  private static final int THREADS = 8;

  private final EventLoop loop;
  private final ExecutorService threads =
      Executors.newFixedThreadPool(
          THREADS,
          task -> {
            Thread made = new Thread(task, "elastune-cloud-call");
            made.setDaemon(true);
            return made;
          });

  /** Creates a caller that delivers results to {@code loop}. */
  AsyncCaller(EventLoop loop) {
    this.loop = loop;
  }

  /** Schedules the call; then runs one of the two callbacks in the loop. */
  <T> void call(Supplier<T> call, Consumer<T> answered, Consumer<CloudFailure> failed) {
    try {
      threads.execute(() -> run(call, answered, failed));
    } catch (RejectedExecutionException e) {
      LOG.debug("call dropped: the cloud is closed");
    }
  }

  private <T> void run(Supplier<T> call, Consumer<T> answered, Consumer<CloudFailure> failed) {
    try {
      T answer = call.get();
      loop.execute(() -> answered.accept(answer));
    } catch (CloudException e) {
      loop.execute(() -> failed.accept(e.failure()));
    } catch (RuntimeException e) {
      // A bug, or an interrupt during shutdown: the outcome of the call is unknown.
      LOG.warn("call to a cloud failed with an unexpected exception", e);
      CloudFailure failure = new CloudFailure.UnknownOutcome(String.valueOf(e));
      loop.execute(() -> failed.accept(failure));
    }
  }

  /** Lets running calls finish; their results are dropped. */
  @Override
  public void close() {
    threads.shutdown();
  }
}
