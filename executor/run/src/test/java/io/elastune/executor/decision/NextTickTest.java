package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.job.Budget;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.StepResult;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class NextTickTest {
  private static final int[][] SHRINKING = {{4, 1}, {2, 1}, {2, 2}, {2, 4}};
  private static final int SECONDS = 600;

  @Test
  void budgetIsNeverReachedBeforeTheNextTick() {
    Optional<Budget> budget = Optional.of(new Budget(1.5, 0.8, Budget.OnReach.STOP));
    RunDefinition definition =
        WorkedExampleRun.definition(
            WorkedExampleRun.plan(SHRINKING), budget, OptionalDouble.empty());

    assertThat(
            ticksThatMattered(
                definition, new VirtualEnvironment(definition, WorkedExampleRun::punctual)))
        .isPositive();
    assertThat(
            ticksThatMattered(
                definition, new VirtualEnvironment(definition, (attempt, script) -> {}).deaf()))
        .isPositive();
  }

  @Test
  void trialNeverHangsBeforeTheNextTick() {
    RunDefinition definition = WorkedExampleRun.definition(WorkedExampleRun.plan(SHRINKING));
    VirtualEnvironment world =
        new VirtualEnvironment(
            definition,
            (attempt, script) -> {
              if (attempt.trial() % 3 != 0) {
                WorkedExampleRun.punctual(attempt, script);
              }
            });

    assertThat(ticksThatMattered(definition, world)).isPositive();
  }

  @Test
  void deadlineIsNeverAtRiskBeforeTheNextTick() {
    RunDefinition definition =
        WorkedExampleRun.replanned(
            WorkedExampleRun.plan(SHRINKING), Optional.empty(), OptionalDouble.of(260));
    VirtualEnvironment silent = new VirtualEnvironment(definition, (attempt, script) -> {}).deaf();

    assertThat(ticksThatMattered(definition, silent)).isPositive();
    assertThat(silent.notes)
        .anyMatch(
            journalNote ->
                journalNote instanceof JournalNote.Decision it
                    && it.kind() == DecisionKind.AT_RISK);
  }

  /**
   * Replays a run with a tick every second, and checks the predicted tick before each that
   * mattered.
   */
  private static int ticksThatMattered(RunDefinition definition, VirtualEnvironment world) {
    world.ticking(SECONDS).run();
    RunState state = RunState.initial(definition);
    int mattered = 0;
    for (RunEvent event : world.told) {
      StepResult stepResult = new RunCore(definition).step(state, event);
      boolean matters =
          !stepResult.commands().isEmpty()
              || !stepResult.notes().isEmpty()
              || stepResult.state().phase() != state.phase();
      if (event instanceof RunEvent.Ticked && matters) {
        assertThat(NextTick.next(definition, state))
            .hasValueSatisfying(at -> assertThat(at).isBeforeOrEqualTo(event.at()));
        mattered++;
      }
      state = stepResult.state();
    }
    return mattered;
  }
}
