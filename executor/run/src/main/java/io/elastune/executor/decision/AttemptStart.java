package io.elastune.executor.decision;

import io.elastune.core.plan.TrialGroup;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.AttemptStateBuilder;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.LeaseUse;
import io.elastune.executor.decision.model.TrialState;
import java.util.OptionalInt;

/** Starts attempts: of trials that wait in a trial group, and of the tasks of rungs. */
final class AttemptStart {
  private AttemptStart() {}

  /** Returns a builder of the state of a trial's next attempt, which starts now after a unit. */
  static AttemptStateBuilder next(
      Transition transition, TrialState trial, TrialGroup group, int from) {
    return AttemptState.starting(from, transition.now)
        .attempt(AttemptState.id(trial.trial(), group.name(), trial.attempts() + 1))
        .trial(trial.trial())
        .chain(trial.chain())
        .group(group.name());
  }

  /**
   * Starts an attempt of a waiting trial. Its instances are busy from now on.
   *
   * @param checkpointEvery units between two checkpoints, 0 for one after the last unit only; empty
   *     if the trial saves as it likes
   */
  static void start(Transition transition, AttemptStateBuilder next, OptionalInt checkpointEvery) {
    AttemptState attempt =
        next.continues(WaitingPrograms.continues(transition, next.build())).build();
    transition.trial(attempt.trial(), trial -> trial.started(attempt.places()));
    transition.put(attempt);
    attempt.places().stream()
        .map(GpuSlot::lease)
        .distinct()
        .flatMap(lease -> transition.lease(lease).stream())
        .forEach(lease -> transition.put(lease.with(started(transition, lease))));
    transition.command(attempt.startCommand(checkpointEvery));
  }

  private static LeaseUse started(Transition transition, LeaseState lease) {
    LeaseUse use = lease.use().started(transition.now);
    return transition.clock().isStill(transition.now) ? use.resumed(transition.aheadS(lease)) : use;
  }
}
