package io.elastune.executor.local;

import io.elastune.executor.checkpoint.CheckpointLocation;
import io.elastune.executor.checkpoint.CheckpointStore;
import io.elastune.executor.checkpoint.CheckpointStore.CleanupResult;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.engine.InternalFailure;
import io.elastune.executor.protocol.WorkerEnvironment;
import io.elastune.provisioner.process.OwnedProcesses;
import io.elastune.provisioner.process.ProcessEnd;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Ends an attempt whose controller has failed: kills its remaining processes and reports its newest
 * complete checkpoint. Used on the engine's event loop only.
 */
final class OrphanedAttempt {
  private static final Duration POLL_INTERVAL = Duration.ofMillis(50);
  private static final int KILLED_EXIT = 128 + 9;

  private final AttemptSpec spec;
  private final int reported;
  private final LocalEngineContext context;
  private final OwnedProcesses family;
  private final ProcessEnd end = new ProcessEnd();
  private boolean ended;

  /**
   * Creates an attempt of an earlier controller.
   *
   * @param reported the last unit whose report that controller received
   */
  OrphanedAttempt(AttemptSpec spec, int reported, LocalEngineContext context) {
    this.spec = spec;
    this.reported = reported;
    this.context = context;
    family = new OwnedProcesses(WorkerEnvironment.ATTEMPT, WorkerEnvironment.mark(spec), Set.of());
  }

  /** Kills the remaining processes, then posts {@code Ended}. */
  void end() {
    if (end.remaining(family).isEmpty()) {
      end.kill(family);
      context.loop().schedule(POLL_INTERVAL, this::end);
    } else {
      context.files().execute(this::cleanUp);
    }
  }

  /** Posts {@code Ended} without what failed: it is known only that the attempt has ended. */
  void failed(Throwable error) {
    if (!ended) {
      post(new CleanupResult(List.of(), false, List.of(InternalFailure.text(error))));
    }
  }

  private void cleanUp() {
    new AttemptContainers(spec).remove();
    // As for every attempt, the checkpoint of `to` counts only with its report.
    int limit = reported >= spec.to() ? spec.to() : spec.to() - 1;
    Path folder = new CheckpointLocation(spec.checkpointDir()).absoluteFolder();
    CleanupResult cleanupResult =
        new CheckpointStore(folder).tryCleanUp(spec.keep(), spec.neededCheckpoints(), limit);
    context.loop().execute(() -> post(cleanupResult));
  }

  private void post(CleanupResult cleanupResult) {
    ended = true;
    String attempt = spec.attempt();
    cleanupResult
        .problems()
        .forEach(p -> context.post(new EngineEvent.Faulted(attempt, p, context.now())));
    context.post(
        new EngineEvent.Ended(
                attempt,
                KILLED_EXIT,
                cleanupResult.newest(),
                cleanupResult.torn(),
                "ended with its controller",
                context.now())
            .withDigests(cleanupResult.digests()));
  }
}
