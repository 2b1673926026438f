package io.elastune.executor.protocol;

import io.elastune.executor.engine.EngineEvent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The attempts of one engine: starts each at most once, passes commands to those that have not
 * ended, and posts their events until the engine is closed.
 *
 * @param <A> the engine's attempts, used on its event loop only
 */
public final class AttemptRegistry<A extends AttemptRegistry.Attempt> {
  private static final Logger LOG = LoggerFactory.getLogger(AttemptRegistry.class);
  private static final int CLOSE_TIMEOUT_S = 5;

  /** An attempt that has not ended. */
  public interface Attempt {
    String id();

    /** Requests a checkpoint and the exit of all workers. */
    void stop();

    /** Kills the workers immediately. */
    void kill();

    /** Posts the time since the last sign of life, if it is known. */
    void check();
  }

  private final Executor loop;
  private final Consumer<EngineEvent> events;
  private final Map<String, A> attempts = new HashMap<>();
  private final Set<String> started = new HashSet<>();
  private final CompletableFuture<Boolean> empty = new CompletableFuture<>();
  private volatile boolean closed;

  /**
   * Creates a registry without attempts.
   *
   * @param loop runs all methods of the attempts
   * @param events receives their events
   */
  public AttemptRegistry(Executor loop, Consumer<EngineEvent> events) {
    this.loop = loop;
    this.events = events;
  }

  /** Posts an event. An exception in the consumer must not interrupt the handling of an attempt. */
  public void post(EngineEvent event) {
    if (closed) {
      return;
    }
    try {
      events.accept(event);
    } catch (RuntimeException e) {
      LOG.error("Event consumer failed for {}", event, e);
    }
  }

  /** Begins an attempt unless it was begun before: {@code task} runs once per ID. */
  public void beginOnce(String attempt, Runnable task) {
    loop.execute(
        () -> {
          if (!closed && started.add(attempt)) {
            task.run();
          }
        });
  }

  /** Adds an attempt. To be called on the event loop. */
  public A add(A attempt) {
    attempts.put(attempt.id(), attempt);
    return attempt;
  }

  /** Removes an attempt that has ended. To be called on the event loop. */
  public void remove(A attempt) {
    attempts.remove(attempt.id());
    completeIfEmpty();
  }

  /** Returns the attempts that have not ended. To be called on the event loop. */
  public List<A> all() {
    return List.copyOf(attempts.values());
  }

  /** Returns the attempt, unless it is unknown or has ended. To be called on the event loop. */
  public Optional<A> find(String attempt) {
    return Optional.ofNullable(attempts.get(attempt));
  }

  /** Passes a command to the attempt, unless it is unknown or has ended. */
  public void with(String attempt, Consumer<A> command) {
    loop.execute(() -> find(attempt).ifPresent(command));
  }

  /** Returns whether no further events are posted. */
  public boolean isClosed() {
    return closed;
  }

  /** Posts no further events. */
  public void close() {
    closed = true;
  }

  /** Closes, kills all workers, and returns whether all of them have exited within 5 s. */
  public boolean killAll() {
    close();
    loop.execute(
        () -> {
          all().forEach(Attempt::kill);
          completeIfEmpty();
        });
    return awaitClose(empty);
  }

  /** Returns the result of a step of closing; false if it fails or takes more than 5 s. */
  public static boolean awaitClose(CompletableFuture<Boolean> step) {
    try {
      return step.get(CLOSE_TIMEOUT_S, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException | TimeoutException e) {
      return false;
    }
  }

  private void completeIfEmpty() {
    if (closed && attempts.isEmpty()) {
      empty.complete(true);
    }
  }
}
