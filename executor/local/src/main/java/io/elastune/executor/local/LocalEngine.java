package io.elastune.executor.local;

import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.provisioner.process.EventLoop;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs trials as processes of this machine: each worker in its own process group, on the cores of
 * its slot. An attempt has ended only when no process is left in its groups or with its {@code
 * ELASTUNE_ATTEMPT} variable.
 *
 * <p>Without {@code /proc} (macOS), a process that leaves its worker's group is not found. Without
 * {@code taskset}, workers are not pinned to the cores of their slots.
 */
public final class LocalEngine implements Engine {
  private static final Logger LOG = LoggerFactory.getLogger(LocalEngine.class);
  private static final int CLOSE_TIMEOUT_S = 5;

  private final EventLoop loop = new EventLoop("elastune-local-engine");
  private final ExecutorService files =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "elastune-checkpoints");
            thread.setDaemon(true);
            return thread;
          });
  private final LocalEngineContext context;
  private final Map<String, LocalAttempt> attempts = new HashMap<>();
  private final Set<String> started = new HashSet<>();
  private final CompletableFuture<Boolean> empty = new CompletableFuture<>();
  private volatile boolean closed;

  /**
   * Opens an engine.
   *
   * @param home the folder of Elastune's files, with the folders of local instances
   */
  public LocalEngine(Path home, InstantSource time, Consumer<EngineEvent> events) {
    this(home, time, events, LocalEngineTimeouts.DEFAULT);
  }

  /** Opens an engine with other timeouts. */
  public LocalEngine(
      Path home, InstantSource time, Consumer<EngineEvent> events, LocalEngineTimeouts settings) {
    this(home, time, events, settings, OomKillCounter.ofThisProcess());
  }

  LocalEngine(
      Path home,
      InstantSource time,
      Consumer<EngineEvent> events,
      LocalEngineTimeouts settings,
      OomKillCounter oomKills) {
    Consumer<EngineEvent> guarded = event -> post(events, event);
    context =
        new LocalEngineContext(
            home.toAbsolutePath(), time, guarded, loop, files, settings, oomKills);
  }

  /** An exception in the consumer must not interrupt the handling of an attempt. */
  private void post(Consumer<EngineEvent> events, EngineEvent event) {
    if (closed) {
      return;
    }
    try {
      events.accept(event);
    } catch (RuntimeException e) {
      LOG.error("Event consumer failed for {}", event, e);
    }
  }

  @Override
  public void start(AttemptSpec spec) {
    loop.execute(
        () -> {
          if (!closed && started.add(spec.attempt())) {
            LocalAttempt attempt = new LocalAttempt(spec, context, this::forget);
            attempts.put(spec.attempt(), attempt);
            attempt.start();
          }
        });
  }

  /**
   * Workers end with their controller. Remaining processes are killed instead of being continued.
   */
  @Override
  public void adopt(AttemptSpec spec, int reported) {
    loop.execute(
        () -> {
          if (!closed && started.add(spec.attempt())) {
            new OrphanedAttempt(spec, reported, context).end();
          }
        });
  }

  @Override
  public void stop(String attempt) {
    with(attempt, LocalAttempt::stop);
  }

  @Override
  public void kill(String attempt) {
    with(attempt, LocalAttempt::kill);
  }

  @Override
  public void check(String attempt) {
    with(attempt, LocalAttempt::check);
  }

  /** Waits for the exit of all workers, for at most 5 s. */
  @Override
  public void close() {
    closed = true;
    loop.execute(
        () -> {
          List.copyOf(attempts.values()).forEach(LocalAttempt::kill);
          completeIfEmpty();
        });
    try {
      var unused = empty.get(CLOSE_TIMEOUT_S, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      // The guards of the instances kill the remaining processes.
      loop.close();
    }
    loop.close();
    var unused = files.shutdownNow();
  }

  private void with(String attempt, Consumer<LocalAttempt> command) {
    loop.execute(
        () -> {
          LocalAttempt found = attempts.get(attempt);
          if (found != null) {
            command.accept(found);
          }
        });
  }

  private void forget(LocalAttempt attempt) {
    attempts.remove(attempt.id());
    completeIfEmpty();
  }

  private void completeIfEmpty() {
    if (closed && attempts.isEmpty()) {
      empty.complete(true);
    }
  }
}
