package io.elastune.executor.local;

import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.protocol.AttemptLog;
import io.elastune.provisioner.process.OwnedProcesses.Signal;
import io.elastune.provisioner.process.ProcessEnd;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workers of a trial between two of its attempts. Used on the engine's event loop only, except
 * for output, which is appended to the log of the trial.
 */
final class WaitingWorkers implements WorkerGroup.Owner {
  /** How long workers wait for the next attempt of their trial. */
  static final Duration LIMIT = Duration.ofHours(1);

  private static final Duration UNTIL_TERM = Duration.ofSeconds(5);
  private static final Duration UNTIL_KILL = Duration.ofSeconds(10);
  private static final Duration SWEEP_INTERVAL = Duration.ofMillis(50);
  private static final int READERS_S = 3;

  private static final Logger LOG = LoggerFactory.getLogger(WaitingWorkers.class);

  private final AttemptSpec spec;
  private final WorkerGroup group;
  private final LocalEngineContext context;
  private final AttemptLog log;
  private final CompletableFuture<Void> gone = new CompletableFuture<>();
  private boolean continues;
  private final ProcessEnd sweeps = new ProcessEnd();
  private boolean ending;

  /** Takes over the workers of an attempt that has ended. */
  WaitingWorkers(AttemptSpec spec, WorkerGroup group, LocalEngineContext context) {
    this.spec = spec;
    this.group = group;
    this.context = context;
    log = new AttemptLog(Path.of(spec.log()), spec.mask());
    group.passTo(this);
    own(() -> context.loop().schedule(LIMIT, this::expire));
  }

  private void expire() {
    var unused = end();
  }

  private void own(Runnable task) {
    context.loop().own(this::failed, task);
  }

  /** Returns the attempt that they have completed. */
  AttemptSpec spec() {
    return spec;
  }

  /** Returns whether the workers can continue with an attempt. */
  boolean canContinueWith(AttemptSpec next) {
    return !ending && group.running() == group.size() && next.canContinue(spec);
  }

  /** Returns the workers, which no longer wait. */
  WorkerGroup takeOver() {
    continues = true;
    log.close();
    return group;
  }

  /**
   * Ends their input, which is how they learn that no attempt follows. Those that still run are
   * terminated after 5 s and killed after 10 s.
   *
   * @return completes on the event loop when no process of them is left
   */
  CompletableFuture<Void> end() {
    own(
        () -> {
          if (!ending && !continues) {
            ending = true;
            group.endInput();
            context.loop().schedule(UNTIL_TERM, this::terminate);
            context.loop().schedule(UNTIL_KILL, this::killRunning);
            sweepIfAllExited();
          }
        });
    return gone;
  }

  /** Kills them immediately. */
  void kill() {
    var unused = end();
    own(this::killRunning);
  }

  private void terminate() {
    if (group.running() > 0 && !continues) {
      group.family().signal(Signal.TERM);
    }
  }

  /** Kills until all workers have exited, as {@link LocalAttempt} does. */
  private void killRunning() {
    if (group.running() > 0 && !continues) {
      sweeps.kill(group.family());
      context.loop().schedule(SWEEP_INTERVAL, this::killRunning);
    }
  }

  @Override
  public void output(int rank, WorkerGroup.Source source, byte[] line, int length, boolean cut) {
    if (source != WorkerGroup.Source.CHANNEL) {
      log.line(group.size() > 1 ? "[" + rank + "] " : "", line, length, cut);
    }
  }

  @Override
  public void exited(int code) {
    if (!ending) {
      var unused = end(); // one that does not wait ends the others
    } else {
      own(this::sweepIfAllExited);
    }
  }

  private void sweepIfAllExited() {
    if (group.running() == 0) {
      sweep();
    }
  }

  private void sweep() {
    if (sweeps.remaining(group.family()).isEmpty()) {
      sweeps.kill(group.family());
      context.loop().schedule(SWEEP_INTERVAL, this::sweep);
      return;
    }
    group.dismiss();
    CompletableFuture<Void> read =
        CompletableFuture.runAsync(this::cleanUp, context.files())
            .thenCompose(clean -> group.outputRead().orTimeout(READERS_S, TimeUnit.SECONDS));
    context.loop().whenComplete(read, (all, tooLate) -> close());
  }

  /** An error in the work of the engine must not keep the next attempt waiting. */
  private void failed(Throwable error) {
    LOG.warn("Ending the workers of {} that waited failed: {}", spec.attempt(), error.toString());
    ending = true;
    try {
      if (!continues && group.family().isAlive()) {
        group.family().signal(Signal.KILL);
      }
    } finally {
      var unused = gone.complete(null);
    }
  }

  private void cleanUp() {
    new AttemptContainers(spec).remove();
    new AttemptWorkdir(spec).prune();
    group.removeFiles();
  }

  private void close() {
    log.close();
    var unused = gone.complete(null);
  }
}
