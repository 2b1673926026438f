package io.elastune.executor.decision;

import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.decision.model.WaitingProgram;
import java.time.Instant;
import java.util.Collections;

/**
 * The programs of trials that wait for their next attempt (docs/model.md, "Programs that wait").
 */
final class WaitingPrograms {
  /** How long a program waits. */
  private static final double LONGEST_S = 3600;

  private WaitingPrograms() {}

  /** Returns whether the program of an attempt that has trained all its units waits. */
  static boolean waitsAfter(RunDefinition definition, AttemptState attempt) {
    return definition.keepAlive()
        && definition.measurement().isEmpty()
        && !attempt.isBeingEnded()
        && !attempt.done()
        && attempt.to() < definition.lastUnit()
        && attempt.places().stream().map(GpuSlot::lease).distinct().count() == 1;
  }

  /**
   * Returns whether an attempt that starts now continues the program of its trial: this waits on
   * the same GPUs, and no attempt has needed these since.
   */
  static boolean continues(Transition transition, AttemptState attempt) {
    TrialState trial = transition.trial(attempt.trial());
    return trial
        .program()
        .map(WaitingProgram::since)
        .filter(since -> Seconds.between(since, transition.now) <= LONGEST_S)
        .filter(since -> attempt.places().equals(trial.slots()))
        .filter(since -> later(transition, attempt, since) < attempt.trialsPerGpu())
        .isPresent();
  }

  /** Returns how many trials have used a GPU of an attempt since the program of its trial waits. */
  private static long later(Transition transition, AttemptState attempt, Instant since) {
    long running =
        transition.attempts().stream()
            .filter(other -> !Collections.disjoint(other.places(), attempt.places()))
            .count();
    long ended =
        transition.trials().values().stream()
            .filter(other -> other.program().filter(it -> it.since().isAfter(since)).isPresent())
            .filter(other -> !Collections.disjoint(other.slots(), attempt.places()))
            .count();
    return running + ended;
  }
}
