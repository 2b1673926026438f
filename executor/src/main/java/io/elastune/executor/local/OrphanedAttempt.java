package io.elastune.executor.local;

import io.elastune.executor.checkpoint.CheckpointStore;
import io.elastune.executor.checkpoint.CheckpointStore.Tidied;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.protocol.WorkerEnvironment;
import io.elastune.provisioner.host.ProcessFamily;
import io.elastune.provisioner.host.ProcessFamily.Signal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/**
 * An attempt whose controller has died: nobody hears its workers any more. It ends once none of
 * them is left, with the newest whole checkpoint. Used in the engine's loop only.
 */
final class OrphanedAttempt {
  private static final Duration STEP = Duration.ofMillis(50);
  private static final int KILLED_EXIT = 128 + 9;

  private final AttemptSpec spec;
  private final int reported;
  private final EngineRoom room;
  private final ProcessFamily family;

  /**
   * An attempt of an earlier controller.
   *
   * @param reported the last unit whose report that controller has taken
   */
  OrphanedAttempt(AttemptSpec spec, int reported, EngineRoom room) {
    this.spec = spec;
    this.reported = reported;
    this.room = room;
    family = new ProcessFamily(WorkerEnvironment.ATTEMPT, WorkerEnvironment.mark(spec), Set.of());
  }

  /** Ends what is left of it. */
  void end() {
    if (family.isAlive()) {
      family.signal(Signal.KILL);
      room.loop().after(STEP, this::end);
    } else {
      room.files().execute(this::tidy);
    }
  }

  private void tidy() {
    // As of any attempt: the checkpoint of `to` without its report is of no use.
    int limit = reported >= spec.to() ? spec.to() : spec.to() - 1;
    Path folder = Path.of(spec.checkpointDir()).toAbsolutePath();
    Tidied tidied = new CheckpointStore(folder).tidied(spec.keep(), spec.from(), limit);
    room.loop().execute(() -> tell(tidied));
  }

  private void tell(Tidied tidied) {
    String attempt = spec.attempt();
    tidied.problems().forEach(p -> room.tell(new EngineEvent.Faulted(attempt, p, room.now())));
    room.tell(
        new EngineEvent.Ended(
            attempt,
            KILLED_EXIT,
            tidied.newest(),
            tidied.torn(),
            "it ended with its controller",
            room.now()));
  }
}
