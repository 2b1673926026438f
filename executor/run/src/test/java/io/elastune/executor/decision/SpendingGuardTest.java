package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Plan;
import io.elastune.executor.decision.forecast.Ledger;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.Reason;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.replan.PlannerReplanner;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** A run without a budget whose trials are slower than profiled. */
class SpendingGuardTest {
  private static final Plan PLAN =
      WorkedExampleRun.plan(new int[][] {{2, 1}, {2, 1}, {1, 1}, {1, 2}});
  private static final double SLOW = 3;

  /** The plan costs $1.72, and about $4 with slow trials. */
  private static final double GUARD_USD = 2.5;

  private static final OptionalDouble FAR = OptionalDouble.of(3600);
  private static final OptionalDouble MISSED = OptionalDouble.of(600);
  private static final OptionalDouble NONE = OptionalDouble.empty();

  @Test
  void doesNotStopARunThatMeetsItsDeadline() {
    for (boolean replanned : new boolean[] {false, true}) {
      VirtualEnvironment world = world(FAR, replanned).run();

      assertThat(world.state.ending().exitCode()).isZero();
      double spent = Ledger.of(definition(FAR, replanned), world.state).spentUsd();
      assertThat(spent)
          .isGreaterThan(GUARD_USD)
          .isLessThan(world.state.budgetLeftUsd(definition(FAR, replanned)).orElseThrow());
    }
  }

  @Test
  void notifiesBeforeItIsReached() {
    VirtualEnvironment world = world(FAR, false).run();

    List<JournalNote.Decision> increases = decisions(world, "guard");
    assertThat(increases).isNotEmpty();
    for (JournalNote.Decision increase : increases) {
      assertThat(increase.numbers().get("spent_usd"))
          .isLessThan(increase.numbers().get("before_usd"));
      assertThat(increase.numbers().get("budget_usd"))
          .isGreaterThan(increase.numbers().get("needed_usd"));
    }
    assertThat(asked(world)).isEmpty();
  }

  @Test
  void stopsARunThatMissesItsDeadlineAfterAsking() {
    VirtualEnvironment world = world(MISSED, false).run();

    assertThat(world.state.ending().exitCode()).isEqualTo(11);
    assertThat(world.state.ending().reason())
        .contains(DecisionReason.of(ReasonCode.STOPPED_AT_GUARD));
    assertThat(asked(world)).isNotEmpty();
    assertThat(Ledger.of(definition(MISSED, false), world.state).spentUsd())
        .isBetween(0.9 * GUARD_USD, GUARD_USD);
  }

  @Test
  void asksWithoutADeadlineAndContinuesWithTheAnswer() {
    VirtualEnvironment refused = world(NONE, false).run();
    VirtualEnvironment allowed = world(NONE, false).generous().run();

    assertThat(refused.state.ending().exitCode()).isEqualTo(11);
    assertThat(asked(refused).get(0).budgetUsd()).isEqualTo(GUARD_USD);
    assertThat(reasons(refused, "over_budget")).contains(ReasonCode.GUARD_TOO_LOW);
    assertThat(allowed.state.ending().exitCode()).isZero();
  }

  @Test
  void anotherControllerKeepsTheIncreasedGuard() {
    RunDefinition definition = definition(FAR, false);
    VirtualEnvironment world = world(FAR, false).run();
    OptionalDouble increased = world.state.budgetLeftUsd(definition);

    assertThat(increased.orElseThrow()).isGreaterThan(GUARD_USD);
    assertThat(
            new RunCore(definition)
                .step(world.state, new RunEvent.Resumed(0, world.state.now()))
                .state()
                .budgetLeftUsd(definition))
        .isEqualTo(increased);
  }

  private static VirtualEnvironment world(OptionalDouble deadlineS, boolean replanned) {
    RunDefinition definition = definition(deadlineS, replanned);
    VirtualEnvironment world =
        new VirtualEnvironment(definition, WorkedExampleRun.slowed(SLOW)).ticking(3600);
    return replanned ? world.planning(new PlannerReplanner(definition)::replan) : world;
  }

  private static RunDefinition definition(OptionalDouble deadlineS, boolean replanned) {
    RunDefinition some = WorkedExampleRun.replanned(PLAN, Optional.empty(), deadlineS);
    // Without forecasts, only the definition with profiles predicts that the run is late.
    return (replanned || deadlineS.equals(MISSED) ? some : WorkedExampleRun.definition(PLAN))
        .withLimits(Optional.empty(), OptionalDouble.of(GUARD_USD), deadlineS);
  }

  private static List<Command.AskBudget> asked(VirtualEnvironment world) {
    return world.commands.stream()
        .filter(command -> command instanceof Command.AskBudget)
        .map(command -> (Command.AskBudget) command)
        .toList();
  }

  private static List<Reason> reasons(VirtualEnvironment world, String decision) {
    return decisions(world, decision).stream().map(note -> note.reason().code()).toList();
  }

  private static List<JournalNote.Decision> decisions(VirtualEnvironment world, String decision) {
    return world.notes.stream()
        .filter(note -> note instanceof JournalNote.Decision)
        .map(note -> (JournalNote.Decision) note)
        .filter(note -> note.decision().equals(decision))
        .toList();
  }
}
