package io.elastune.executor.decision.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.billing.HourlyCosts;
import io.elastune.core.job.Budget;
import io.elastune.core.job.Job;
import io.elastune.core.plan.Plan;
import io.elastune.executor.decision.VirtualEnvironment;
import io.elastune.executor.decision.WorkedExampleRun;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunDefinitionBuilder;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.RunState;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Whether runs without a controller can be resumed. */
class ResumeFeasibilityTest {
  private static final Plan PLAN =
      WorkedExampleRun.plan(new int[][] {{2, 1}, {2, 1}, {1, 1}, {1, 2}});
  private static final OptionalDouble NONE = OptionalDouble.empty();

  @Test
  void completedRunIsDone() {
    assertThat(outlook(definition(NONE, NONE), ended(definition(NONE, NONE))))
        .isEqualTo(ResumeFeasibility.DONE);
  }

  @Test
  void runWithRemainingInstancesCanResume() {
    RunState done = ended(definition(NONE, NONE));
    RunState left =
        new RunState(
            done.phase(),
            done.began(),
            done.now(),
            done.ending().combinedWith(RunOutcome.CLEANUP_UNCONFIRMED).listed(2),
            done.chains(),
            done.trials(),
            done.attempts(),
            done.leases(),
            done.steering(),
            done.clock());

    assertThat(outlook(definition(NONE, NONE), left)).isEqualTo(ResumeFeasibility.CAN_RESUME);
  }

  @Test
  void stopAtBudgetNeedsAHigherBudget() {
    RunDefinition definition = definition(OptionalDouble.of(1), NONE);
    RunState state = ended(definition);

    assertThat(state.ending().exitCode()).isEqualTo(11);
    assertThat(outlook(definition(OptionalDouble.of(0.5), NONE), state))
        .as("everything is released: its cost counts")
        .isEqualTo(ResumeFeasibility.BUDGET_SPENT);
    assertThat(outlook(definition(OptionalDouble.of(5), NONE), state))
        .isEqualTo(ResumeFeasibility.CAN_RESUME);
  }

  @Test
  void stopAtDeadlineNeedsALaterDeadline() {
    RunDefinition definition = definition(NONE, OptionalDouble.of(100));
    RunState state = ended(definition);

    assertThat(state.ending().exitCode()).isEqualTo(13);
    assertThat(outlook(definition, state)).isEqualTo(ResumeFeasibility.DEADLINE_PASSED);
    assertThat(outlook(definition(NONE, OptionalDouble.of(1e4)), state))
        .isEqualTo(ResumeFeasibility.CAN_RESUME);
    assertThat(
            ResumeFeasibility.of(
                definition(NONE, OptionalDouble.of(1e4)), state, state.now().plusSeconds(20_000)))
        .as("too late now")
        .isEqualTo(ResumeFeasibility.DEADLINE_PASSED);
  }

  @Test
  void runWithoutTrialsCannotResume() {
    VirtualEnvironment world =
        new VirtualEnvironment(
                definition(NONE, NONE), (attempt, script) -> script.end(1, 1, 0, false))
            .run();

    assertThat(world.state.ending().exitCode()).isEqualTo(16);
    assertThat(outlook(definition(NONE, NONE), world.state)).isEqualTo(ResumeFeasibility.NO_TRIALS);
  }

  private static ResumeFeasibility outlook(RunDefinition definition, RunState state) {
    return ResumeFeasibility.of(definition, state, state.now());
  }

  private static RunState ended(RunDefinition definition) {
    return new VirtualEnvironment(definition, WorkedExampleRun::punctual).ticking(1200).run().state;
  }

  /** A run that stops at its limits. */
  private static RunDefinition definition(OptionalDouble budgetUsd, OptionalDouble deadlineS) {
    RunDefinition some =
        WorkedExampleRun.definition(
            PLAN,
            budgetUsd.isPresent()
                ? Optional.of(new Budget(budgetUsd.getAsDouble(), 0.8, Budget.OnReach.STOP))
                : Optional.empty(),
            deadlineS,
            HourlyCosts.NONE);
    return RunDefinitionBuilder.builder(some).deadlineMiss(Job.DeadlineMiss.STOP).build();
  }
}
