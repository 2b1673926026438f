package io.elastune.provisioner.remote;

import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.host.EventLoop;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes calls that wait for their answer on threads of its own; the answers come to the loop. */
public final class Asker implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Asker.class);
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

  /** Answers will come to {@code loop}. */
  public Asker(EventLoop loop) {
    this.loop = loop;
  }

  /** Makes the call soon; in the end one of the two is told, in the loop. */
  public <T> void ask(Supplier<T> call, Consumer<T> answered, Consumer<CloudFailure> failed) {
    try {
      threads.execute(() -> run(call, answered, failed));
    } catch (RejectedExecutionException e) {
      LOG.debug("a call came after the end");
    }
  }

  private <T> void run(Supplier<T> call, Consumer<T> answered, Consumer<CloudFailure> failed) {
    try {
      T answer = call.get();
      loop.execute(() -> answered.accept(answer));
    } catch (CloudException e) {
      loop.execute(() -> failed.accept(e.failure()));
    } catch (RuntimeException e) {
      // A bug, or an interrupt at the end: what the call has done is not known.
      LOG.warn("a call to a cloud ended without an answer", e);
      CloudFailure failure = new CloudFailure.UnknownOutcome(String.valueOf(e));
      loop.execute(() -> failed.accept(failure));
    }
  }

  /** Lets calls under way end by themselves; their answers are dropped. */
  @Override
  public void close() {
    threads.shutdown();
  }
}
