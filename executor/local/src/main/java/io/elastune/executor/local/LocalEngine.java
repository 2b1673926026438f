package io.elastune.executor.local;

import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.protocol.AttemptRegistry;
import io.elastune.executor.protocol.OmittedMetrics;
import io.elastune.provisioner.process.EventLoop;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
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

  private final EventLoop loop;
  private final ExecutorService files =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "elastune-checkpoints");
            thread.setDaemon(true);
            return thread;
          });
  private final LocalEngineContext context;
  private final AttemptRegistry<LocalAttempt> attempts;
  private final WaitingTrials waiting = new WaitingTrials();

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
    this(home, time, events, settings, OomKillCounter.ofThisProcess(), EventLoop.Faults.NONE);
  }

  LocalEngine(
      Path home,
      InstantSource time,
      Consumer<EngineEvent> events,
      LocalEngineTimeouts settings,
      OomKillCounter oomKills,
      EventLoop.Faults faults) {
    loop = new EventLoop("elastune-local-engine", faults);
    attempts = new AttemptRegistry<>(loop, events);
    context =
        new LocalEngineContext(
            home.toAbsolutePath(),
            time,
            attempts::post,
            loop,
            loop.blocking(files),
            settings,
            oomKills,
            new OmittedMetrics());
  }

  @Override
  public void start(AttemptSpec spec) {
    attempts.beginOnce(
        spec.attempt(),
        () -> {
          List<AttemptSpec> running = attempts.all().stream().map(LocalAttempt::spec).toList();
          LocalAttempt attempt = new LocalAttempt(spec, context, waiting, attempts::remove);
          command(attempts.add(attempt), () -> attempt.start(running));
        });
  }

  /**
   * Workers end with their controller. Remaining processes are killed instead of being continued.
   */
  @Override
  public void adopt(AttemptSpec spec, int reported) {
    attempts.beginOnce(
        spec.attempt(),
        () -> {
          OrphanedAttempt orphan = new OrphanedAttempt(spec, reported, context);
          loop.own(orphan::failed, orphan::end);
        });
  }

  @Override
  public void stop(String attempt) {
    attempts.with(attempt, one -> command(one, one::stop));
  }

  @Override
  public void stop(String attempt, Duration grace) {
    attempts.with(attempt, one -> command(one, () -> one.stop(grace)));
  }

  @Override
  public void kill(String attempt) {
    attempts.with(attempt, one -> command(one, one::kill));
  }

  @Override
  public void check(String attempt) {
    attempts.with(attempt, one -> command(one, one::check));
  }

  /** Whatever fails in an attempt, or in what it starts, ends it. */
  private void command(LocalAttempt attempt, Runnable command) {
    loop.own(attempt::failed, command);
  }

  /** Waits for the exit of all workers, for at most 5 s. */
  @Override
  public void close() {
    loop.execute(waiting::kill);
    if (!attempts.killAll()) {
      LOG.debug("Workers are left; the guards of their instances kill them");
    }
    loop.close();
    var unused = files.shutdownNow();
  }
}
