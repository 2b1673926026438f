package io.elastune.executor.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.job.Budget;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.executor.core.Answer.Hope;
import io.elastune.executor.core.Answer.Prediction;
import io.elastune.executor.replan.PlannedAnew;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** A run whose remaining work no longer fits its budget. */
class MoreMoneyTest {
  private static final Plan CHEAP = Scenario.plan(new int[][] {{2, 1}, {2, 1}, {1, 1}, {1, 2}});
  private static final double SLOW = 3;

  /** The plan costs $1.72, and twice as much if trials are half as fast. */
  private static final double BUDGET_USD = 3;

  private static final OptionalDouble NO_DEADLINE = OptionalDouble.empty();

  @Test
  void stopsAtBudgetIfNotIncreased() {
    VirtualWorld world = world(Budget.OnReach.STOP).run();

    assertThat(world.state.ending().exitCode()).isEqualTo(11);
    assertThat(spent(world)).isLessThanOrEqualTo(BUDGET_USD).isGreaterThan(0.9 * BUDGET_USD);
    assertThat(asked(world)).hasSize(1);
    assertThat(numbers(world, "over_budget"))
        .containsEntry("budget_usd", BUDGET_USD)
        .containsKeys("needed_usd", "asked_usd", "spent_usd");
    assertThat(reasons(world, "budget").get(0))
        .isEqualTo("budget not increased (the user): the run stops when its budget is reached");
  }

  @Test
  void asksAtTheFirstForecast() {
    VirtualWorld world = world(Budget.OnReach.STOP);
    double[] spentThen = {0};
    world.watcher =
        command -> {
          if (command instanceof Command.AskBudget) {
            spentThen[0] = spent(world);
          }
        };
    world.run();

    // Two instances from their request to the end of the first unit, when the speed is known.
    double firstReportUsd = 2 * (60 + 10 + SLOW * 30) * Scenario.OFFER.usdPerHour() / 3600;
    assertThat(spentThen[0]).isEqualTo(firstReportUsd, within(0.01));
  }

  @Test
  void completesWithAHigherBudget() {
    VirtualWorld world = world(Budget.OnReach.STOP).generous().run();

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
    assertThat(reasons(world, "budget")).containsExactly("the user increased the budget");
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
    VirtualWorld world = world(Budget.OnReach.FINISH_GROUP).run();

    assertThat(world.state.ending().exitCode()).isEqualTo(11);
    assertThat(world.state.ending().reason()).isEqualTo("stopped at the budget before group 2");
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
        .contains("group 2 is not started: the forecast exceeds the budget");
  }

  @Test
  void waitsIfOnlyAnExpensiveOfferIsLeft() {
    Answer dear =
        new Answer(
            Optional.empty(),
            Optional.of(
                new Answer.Move(
                    new Prediction(400, 9, Hope.ON_TIME, false),
                    Map.of("1", new Allocation(Scenario.SMALLER.name(), 4, 1, 1)))));
    VirtualWorld refused = soldOut(dear).run();
    VirtualWorld allowed = soldOut(dear).generous();
    allowed.watcher =
        command -> {
          if (command instanceof Command.AskBudget) {
            allowed.planning(new PlannedAnew(definition(Budget.OnReach.STOP))::answer);
          }
        };
    allowed.run();

    assertThat(refused.state.ending().exitCode()).isEqualTo(14);
    assertThat(refused.state.ending().reason()).isEqualTo("no available offer fits the budget");
    assertThat(allowed.state.ending().exitCode()).isZero();
    assertThat(allowed.state.ending().reason()).isEmpty();
  }

  @Test
  void movingTrialsDoNotStopTheRun() {
    Answer cheaper =
        new Answer(
            Optional.of(new Prediction(900, 9, Hope.ON_TIME, false)),
            Optional.of(
                new Answer.Move(
                    new Prediction(900, 5, Hope.ON_TIME, false),
                    Map.of("1", new Allocation(Scenario.SMALLER.name(), 1, 1, 1)))));
    VirtualWorld world =
        new VirtualWorld(definition(Budget.OnReach.STOP), Scenario.slowed(SLOW))
            .planning(question -> cheaper)
            .answeringIn(0.5) // before the trials have written their checkpoints
            .ticking(3600)
            .run();

    assertThat(decisions(world, "re-plan")).isNotEmpty();
    assertThat(world.state.ending().exitCode()).isEqualTo(11);
  }

  @Test
  void ignoresAnswersToAnEarlierController() {
    RunDefinition definition = definition(Budget.OnReach.STOP);
    VirtualWorld world = world(Budget.OnReach.STOP).run();
    RunCore core = new RunCore(definition);
    RunState state = RunState.initial(definition);
    for (RunEvent event : world.told) {
      if (!state.steering().allowance().open()) {
        state = core.step(state, event).state();
      }
    }
    assertThat(state.steering().allowance().open()).isTrue();
    state = core.step(state, new RunEvent.Resumed(0, state.now())).state();
    Step step = core.step(state, new RunEvent.BudgetAnswered(1, true, "the user", state.now()));

    assertThat(step.state().budgetLeftUsd(definition)).hasValue(BUDGET_USD);
    assertThat(step.state().steering().allowance().askedUsd())
        .as("can be requested again")
        .isZero();
  }

  private static VirtualWorld soldOut(Answer answer) {
    return new VirtualWorld(definition(Budget.OnReach.STOP), Scenario.slowed(1))
        .planning(question -> answer)
        .without(Scenario.OFFER.name())
        .ticking(1200);
  }

  private static VirtualWorld world(Budget.OnReach onReach) {
    RunDefinition definition = definition(onReach);
    return new VirtualWorld(definition, Scenario.slowed(SLOW))
        .planning(new PlannedAnew(definition)::answer)
        .ticking(3600);
  }

  private static RunDefinition definition(Budget.OnReach onReach) {
    return Scenario.replanned(
        CHEAP, Optional.of(new Budget(BUDGET_USD, 0.8, onReach)), NO_DEADLINE);
  }

  private static double spent(VirtualWorld world) {
    return Ledger.of(definition(Budget.OnReach.STOP), world.state).spentUsd();
  }

  private static List<Command.AskBudget> asked(VirtualWorld world) {
    return world.commands.stream()
        .filter(command -> command instanceof Command.AskBudget)
        .map(command -> (Command.AskBudget) command)
        .toList();
  }

  private static List<String> reasons(VirtualWorld world, String decision) {
    return decisions(world, decision).stream().map(Note.Decision::reason).toList();
  }

  private static Map<String, Double> numbers(VirtualWorld world, String decision) {
    return decisions(world, decision).get(0).numbers();
  }

  private static List<Note.Decision> decisions(VirtualWorld world, String decision) {
    return world.notes.stream()
        .filter(note -> note instanceof Note.Decision)
        .map(note -> (Note.Decision) note)
        .filter(note -> note.decision().equals(decision))
        .toList();
  }
}
