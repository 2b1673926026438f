package io.elastune.executor.decision;

import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.FluidDefinition;
import io.elastune.executor.decision.model.RunDefinition;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

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
    return new Command.StopAttempt(
        attempt.attempt(), OptionalDouble.of(graceS(unitS, checkpointS)));
  }

  private static double graceS(double unitS, double checkpointS) {
    return Math.max(LEAST_S, SLOWER * unitS + checkpointS);
  }

  /** Returns the longest time in seconds that attempts have that the policy of a run ends. */
  static double longestS(RunDefinition definition) {
    return DoubleStream.of(
            definition
                .fluid()
                .map(it -> graceS(it.slowestUnitS() * slowestFactor(it), it.checkpointS()))
                .orElse(LEAST_S),
            definition
                .hyperSched()
                .map(it -> graceS(it.slowestUnitS(), it.checkpointS()))
                .orElse(LEAST_S),
            definition.hermes().map(it -> graceS(it.unitS(), it.checkpointS())).orElse(LEAST_S))
        .max()
        .orElseThrow();
  }

  private static double slowestFactor(FluidDefinition fluid) {
    return fluid.factors().stream().mapToDouble(factor -> factor).max().orElse(1);
  }
}
