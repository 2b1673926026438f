package io.elastune.executor.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.job.Budget;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class AlarmTest {
  private static final int[][] SHRINKING = {{4, 1}, {2, 1}, {2, 2}, {2, 4}};
  private static final int SECONDS = 600;

  @Test
  void budgetIsNeverReachedBeforeTheNextTick() {
    Optional<Budget> budget = Optional.of(new Budget(1.5, 0.8, Budget.OnReach.STOP));
    RunDefinition definition =
        Scenario.definition(Scenario.plan(SHRINKING), budget, OptionalDouble.empty());

    assertThat(ticksThatMattered(definition, new VirtualWorld(definition, Scenario::punctual)))
        .isPositive();
    assertThat(
            ticksThatMattered(
                definition, new VirtualWorld(definition, (attempt, script) -> {}).deaf()))
        .isPositive();
  }

  @Test
  void trialNeverHangsBeforeTheNextTick() {
    RunDefinition definition = Scenario.definition(Scenario.plan(SHRINKING));
    VirtualWorld world =
        new VirtualWorld(
            definition,
            (attempt, script) -> {
              if (attempt.trial() % 3 != 0) {
                Scenario.punctual(attempt, script);
              }
            });

    assertThat(ticksThatMattered(definition, world)).isPositive();
  }

  @Test
  void deadlineIsNeverAtRiskBeforeTheNextTick() {
    RunDefinition definition =
        Scenario.replanned(Scenario.plan(SHRINKING), Optional.empty(), OptionalDouble.of(260));
    VirtualWorld silent = new VirtualWorld(definition, (attempt, script) -> {}).deaf();

    assertThat(ticksThatMattered(definition, silent)).isPositive();
    assertThat(silent.notes)
        .anyMatch(note -> note instanceof Note.Decision it && it.kind() == DecisionKind.AT_RISK);
  }

  /**
   * Replays a run with a tick every second, and checks the predicted tick before each that
   * mattered.
   */
  private static int ticksThatMattered(RunDefinition definition, VirtualWorld world) {
    world.ticking(SECONDS).run();
    RunState state = RunState.initial(definition);
    int mattered = 0;
    for (RunEvent event : world.told) {
      Step step = new RunCore(definition).step(state, event);
      boolean matters =
          !step.commands().isEmpty()
              || !step.notes().isEmpty()
              || step.state().phase() != state.phase();
      if (event instanceof RunEvent.Ticked && matters) {
        assertThat(Alarm.next(definition, state))
            .hasValueSatisfying(at -> assertThat(at).isBeforeOrEqualTo(event.at()));
        mattered++;
      }
      state = step.state();
    }
    return mattered;
  }
}
