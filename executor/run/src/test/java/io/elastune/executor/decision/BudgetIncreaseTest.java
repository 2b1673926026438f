package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.job.Budget;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.executor.decision.forecast.Ledger;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.ReplanResponse;
import io.elastune.executor.decision.model.ReplanResponse.DeadlineOutlook;
import io.elastune.executor.decision.model.ReplanResponse.Prediction;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.StepResult;
import io.elastune.executor.replan.PlannerReplanner;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** A run whose remaining work no longer fits its budget. */
class BudgetIncreaseTest {
  private static final Plan CHEAP =
      WorkedExampleRun.plan(new int[][] {{2, 1}, {2, 1}, {1, 1}, {1, 2}});
  private static final double SLOW = 3;

  /** The plan costs $1.72, and twice as much if trials are half as fast. */
  private static final double BUDGET_USD = 3;

  private static final OptionalDouble NO_DEADLINE = OptionalDouble.empty();

  @Test
  void stopsAtBudgetIfNotIncreased() {
    VirtualEnvironment world = world(Budget.OnReach.STOP).run();

    assertThat(world.state.ending().exitCode()).isEqualTo(11);
    assertThat(spent(world)).isLessThanOrEqualTo(BUDGET_USD).isGreaterThan(0.9 * BUDGET_USD);
    assertThat(asked(world)).hasSize(1);
    assertThat(numbers(world, "over_budget"))
        .containsEntry("budget_usd", BUDGET_USD)
        .containsKeys("needed_usd", "asked_usd", "spent_usd");
    assertThat(reasons(world, "budget").get(0))
        .isEqualTo(DecisionReason.of(ReasonCode.BUDGET_KEPT_RUN_STOPS, "the user"));
  }

  @Test
  void asksAtTheFirstForecast() {
    VirtualEnvironment world = world(Budget.OnReach.STOP);
    double[] spentThen = {0};
    world.watcher =
        command -> {
          if (command instanceof Command.AskBudget) {
            spentThen[0] = spent(world);
          }
        };
    world.run();

    // Two instances from their request to the end of the first unit, when the speed is known.
    double firstReportUsd = 2 * (60 + 10 + SLOW * 30) * WorkedExampleRun.OFFER.usdPerHour() / 3600;
    assertThat(spentThen[0]).isEqualTo(firstReportUsd, within(0.01));
  }

  @Test
  void completesWithAHigherBudget() {
    VirtualEnvironment world = world(Budget.OnReach.STOP).generous().run();

    assertThat(world.state.ending().exitCode()).isZero();
    Command.AskBudget asked = asked(world).get(0);
    assertThat(asked.budgetUsd()).isEqualTo(BUDGET_USD);
    assertThat(asked.askedUsd())
        .isEqualTo(
            1.25 * asked.neededUsd() + numbers(world, "over_budget").get("committed_usd"),
            within(0.01));
    assertThat(spent(world)).isBetween(BUDGET_USD, asked.askedUsd());
    assertThat(world.state.budgetLeftUsd(definition(Budget.OnReach.STOP)))
        .hasValue(asked.askedUsd());
    assertThat(reasons(world, "budget"))
        .containsExactly(DecisionReason.of(ReasonCode.BUDGET_INCREASED, "the user"));
  }

  @Test
  void asksWithFinishGroup() {
    assertThat(asked(world(Budget.OnReach.FINISH_GROUP).run())).hasSize(1);
    assertThat(world(Budget.OnReach.FINISH_GROUP).generous().run().state.ending().exitCode())
        .isZero();
  }

  /** Group 1 may exceed the budget; no instance is requested for a later group. */
  @Test
  void finishGroupStartsNoUnaffordableGroup() {
    VirtualEnvironment world = world(Budget.OnReach.FINISH_GROUP).run();

    assertThat(world.state.ending().exitCode()).isEqualTo(11);
    assertThat(world.state.ending().reason())
        .contains(DecisionReason.of(ReasonCode.STOPPED_AT_BUDGET_BEFORE_GROUP, "2"));
    assertThat(world.state.chains().get(0).started()).hasSize(1);
    assertThat(world.commands)
        .filteredOn(Command.StartAttempt.class::isInstance)
        .extracting(command -> ((Command.StartAttempt) command).group())
        .containsOnly("1");
    assertThat(world.state.leases().values()).extracting(LeaseState::group).containsOnly("1");
    assertThat(world.state.trials().values())
        .as("all trials of group 1 complete it")
        .allMatch(trial -> trial.unit() == 1);
    assertThat(numbers(world, "budget")).containsEntry("budget_usd", BUDGET_USD);
    assertThat(reasons(world, "budget"))
        .contains(DecisionReason.of(ReasonCode.BUDGET_TOO_LOW_FOR_GROUP, "2"));
  }

  @Test
  void waitsIfOnlyAnExpensiveOfferIsLeft() {
    ReplanResponse dear =
        new ReplanResponse(
            Optional.empty(),
            Optional.of(
                new ReplanResponse.Move(
                    new Prediction(400, 9, DeadlineOutlook.ON_TIME, false),
                    Map.of("1", new Allocation(WorkedExampleRun.SMALLER.name(), 4, 1, 1)))));
    VirtualEnvironment refused = soldOut(dear).run();
    VirtualEnvironment allowed = soldOut(dear).generous();
    allowed.watcher =
        command -> {
          if (command instanceof Command.AskBudget) {
            allowed.planning(new PlannerReplanner(definition(Budget.OnReach.STOP))::replan);
          }
        };
    allowed.run();

    assertThat(refused.state.ending().exitCode()).isEqualTo(14);
    assertThat(refused.state.ending().reason())
        .contains(DecisionReason.of(ReasonCode.NO_OFFER_IN_BUDGET));
    assertThat(allowed.state.ending().exitCode()).isZero();
    assertThat(allowed.state.ending().reason()).isEmpty();
  }

  @Test
  void movingTrialsDoNotStopTheRun() {
    ReplanResponse cheaper =
        new ReplanResponse(
            Optional.of(new Prediction(900, 9, DeadlineOutlook.ON_TIME, false)),
            Optional.of(
                new ReplanResponse.Move(
                    new Prediction(900, 5, DeadlineOutlook.ON_TIME, false),
                    Map.of("1", new Allocation(WorkedExampleRun.SMALLER.name(), 1, 1, 1)))));
    VirtualEnvironment world =
        new VirtualEnvironment(definition(Budget.OnReach.STOP), WorkedExampleRun.slowed(SLOW))
            .planning(replanRequest -> cheaper)
            .answeringIn(0.5) // before the trials have written their checkpoints
            .ticking(3600)
            .run();

    assertThat(decisions(world, "re-plan")).isNotEmpty();
    assertThat(world.state.ending().exitCode()).isEqualTo(11);
  }

  @Test
  void ignoresAnswersToAnEarlierController() {
    RunDefinition definition = definition(Budget.OnReach.STOP);
    VirtualEnvironment world = world(Budget.OnReach.STOP).run();
    RunCore core = new RunCore(definition);
    RunState state = RunState.initial(definition);
    for (RunEvent event : world.told) {
      if (!state.steering().allowance().open()) {
        state = core.step(state, event).state();
      }
    }
    assertThat(state.steering().allowance().open()).isTrue();
    state = core.step(state, new RunEvent.Resumed(0, state.now())).state();
    StepResult stepResult =
        core.step(state, new RunEvent.BudgetAnswered(1, true, "the user", state.now()));

    assertThat(stepResult.state().budgetLeftUsd(definition)).hasValue(BUDGET_USD);
    assertThat(stepResult.state().steering().allowance().askedUsd())
        .as("can be requested again")
        .isZero();
  }

  private static VirtualEnvironment soldOut(ReplanResponse replanResponse) {
    return new VirtualEnvironment(definition(Budget.OnReach.STOP), WorkedExampleRun.slowed(1))
        .planning(replanRequest -> replanResponse)
        .without(WorkedExampleRun.OFFER.name())
        .ticking(1200);
  }

  private static VirtualEnvironment world(Budget.OnReach onReach) {
    RunDefinition definition = definition(onReach);
    return new VirtualEnvironment(definition, WorkedExampleRun.slowed(SLOW))
        .planning(new PlannerReplanner(definition)::replan)
        .ticking(3600);
  }

  private static RunDefinition definition(Budget.OnReach onReach) {
    return WorkedExampleRun.replanned(
        CHEAP, Optional.of(new Budget(BUDGET_USD, 0.8, onReach)), NO_DEADLINE);
  }

  private static double spent(VirtualEnvironment world) {
    return Ledger.of(definition(Budget.OnReach.STOP), world.state).spentUsd();
  }

  private static List<Command.AskBudget> asked(VirtualEnvironment world) {
    return world.commands.stream()
        .filter(command -> command instanceof Command.AskBudget)
        .map(command -> (Command.AskBudget) command)
        .toList();
  }

  private static List<DecisionReason> reasons(VirtualEnvironment world, String decision) {
    return decisions(world, decision).stream().map(JournalNote.Decision::reason).toList();
  }

  private static Map<String, Double> numbers(VirtualEnvironment world, String decision) {
    return decisions(world, decision).get(0).numbers();
  }

  private static List<JournalNote.Decision> decisions(VirtualEnvironment world, String decision) {
    return world.notes.stream()
        .filter(journalNote -> journalNote instanceof JournalNote.Decision)
        .map(journalNote -> (JournalNote.Decision) journalNote)
        .filter(note -> note.decision().equals(decision))
        .toList();
  }
}
