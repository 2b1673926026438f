package io.elastune.executor.decision;

import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.Command;
import java.util.OptionalDouble;

/** Stops attempts that a policy ends, with enough time to complete their unit. */
final class UnitGrace {
  /** The time that the trial protocol grants in any case, in seconds. */
  private static final double LEAST_S = 30;

  /** The expected maximum time of a unit as a multiple of its mean. */
  private static final double SLOWER = 3;

  private UnitGrace() {}

  /**
   * Returns the command that stops an attempt after its unit.
   *
   * @param unitS mean seconds per unit
   * @param checkpointS mean seconds to write a checkpoint
   */
  static Command.StopAttempt stop(AttemptState attempt, double unitS, double checkpointS) {
    double graceS = Math.max(LEAST_S, SLOWER * unitS + checkpointS);
    return new Command.StopAttempt(attempt.attempt(), OptionalDouble.of(graceS));
  }
}
