package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.job.Budget;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.forecast.Ledger;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.ReplanReason;
import io.elastune.executor.decision.model.ReplanRequest;
import io.elastune.executor.decision.model.ReplanResponse;
import io.elastune.executor.decision.model.ReplanResponse.DeadlineOutlook;
import io.elastune.executor.decision.model.ReplanResponse.Move;
import io.elastune.executor.decision.model.ReplanResponse.Prediction;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunDefinitionBuilder;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.StepResult;
import io.elastune.executor.replan.PlannerReplanner;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LossReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Changes of the plan of a run, and their reasons. */
class ReplanTriggerTest {
  /** Takes 339 s and $1.72 by the profile (docs/model.md). */
  private static final Plan CHEAP =
      WorkedExampleRun.plan(new int[][] {{2, 1}, {2, 1}, {1, 1}, {1, 2}});

  /** Queue, boot, start-up, and a unit that takes twice as long as profiled. */
  private static final double FIRST_REPORT_S = 15 + 60 + 10 + 2 * 30;

  private static final OptionalDouble DEADLINE = OptionalDouble.of(480);
  private static final Optional<Budget> BUDGET =
      Optional.of(new Budget(20, 0.8, Budget.OnReach.STOP));

  @Test
  void slowTrialsCauseANewPlan() {
    RunDefinition definition = WorkedExampleRun.replanned(CHEAP, BUDGET, DEADLINE);
    VirtualEnvironment kept =
        new VirtualEnvironment(definition.withoutReplanning(), WorkedExampleRun.slowed(2)).run();
    VirtualEnvironment world = world(definition, WorkedExampleRun.slowed(2));
    List<Instant> asked = new ArrayList<>();
    world.watcher =
        command -> {
          if (command instanceof Command.Replan) {
            asked.add(world.now);
          }
        };
    world.run();

    assertThat(kept.state.ending().exitCode()).isEqualTo(13);
    assertThat(world.state.ending().exitCode()).isZero();
    assertThat(Seconds.between(VirtualEnvironment.START, asked.get(0)))
        .isEqualTo(FIRST_REPORT_S, within(0.01));
    assertThat(decisions(world)).contains("at_risk", "pace", "re-plan", "on_time");
    assertThat(reason(world, "pace")).isEqualTo(DecisionReason.of(ReasonCode.TRIAL_SPEED_CHANGED));
    assertThat(numbers(world, "pace").get("pace")).isBetween(1.6, 2.0);
    assertThat(reason(world, "re-plan").code()).isEqualTo(ReasonCode.BETTER_PLAN);
    assertThat(detail(reason(world, "re-plan"), "before_instances")).isEqualTo("1");
    assertThat(numbers(world, "re-plan")).containsKeys("stay_s", "stay_usd", "move_s", "move_usd");
    assertThat(Ledger.of(definition, world.state).spentUsd()).isLessThan(20);
  }

  @Test
  void infeasibleDeadlineIsReportedEarly() {
    RunDefinition definition = WorkedExampleRun.replanned(CHEAP, BUDGET, OptionalDouble.of(345));
    VirtualEnvironment world = world(definition, WorkedExampleRun.slowed(3));
    List<String> atFirst = new ArrayList<>();
    world.watcher =
        command -> {
          if (command instanceof Command.Replan replan && replan.number() == 1) {
            atFirst.addAll(decisions(world));
          }
        };
    world.run();

    assertThat(atFirst).as("overdue, before the first report").contains("at_risk");
    assertThat(world.state.ending().exitCode()).isEqualTo(13);
    assertThat(detail(reason(world, "stay"), "deadline_outlook"))
        .isEqualTo(DeadlineOutlook.LATE.name());
    assertThat(world.state.steering().lost()).isTrue();
  }

  @Test
  void runOnPlanIsNotReplanned() {
    VirtualEnvironment world =
        world(WorkedExampleRun.replanned(CHEAP, BUDGET, DEADLINE), WorkedExampleRun.slowed(1))
            .run();

    assertThat(world.commands).noneMatch(command -> command instanceof Command.Replan);
    assertThat(decisions(world)).doesNotContain("at_risk", "pace", "re-plan", "stay");
  }

  /**
   * The cost is 170 times the budget, with which groups are completed. Each event then changes it
   * by more than a twentieth of the budget, but each group is one reason only. Runs of builds
   * before this rule decide as before, so that their journals can be resumed.
   */
  @Test
  void sameExcessOfTheBudgetIsNoReasonAgain() {
    RunDefinition definition =
        WorkedExampleRun.replanned(
            CHEAP,
            Optional.of(new Budget(0.01, 0.8, Budget.OnReach.FINISH_GROUP)),
            OptionalDouble.empty());
    RunDefinition earlier =
        RunDefinitionBuilder.builder(definition)
            .planning(definition.planning().map(RunDefinition.Planning::withEarlierRequests))
            .build();

    assertThat(budgetRequests(definition)).isBetween(1L, (long) CHEAP.allocations().size());
    assertThat(budgetRequests(earlier)).isGreaterThan(CHEAP.allocations().size());
  }

  private static long budgetRequests(RunDefinition definition) {
    return world(definition, WorkedExampleRun.slowed(1.08)).run().commands.stream()
        .filter(Command.Replan.class::isInstance)
        .map(command -> ((Command.Replan) command).reason().cause())
        .filter(ReplanReason.Cause.BUDGET::equals)
        .count();
  }

  @Test
  void unavailableOfferIsReplaced() {
    RunDefinition definition = WorkedExampleRun.replanned(CHEAP, BUDGET, DEADLINE);
    VirtualEnvironment world =
        world(definition, WorkedExampleRun.slowed(1)).without(WorkedExampleRun.OFFER.name()).run();

    assertThat(world.state.ending().exitCode()).isZero();
    assertThat(world.notes)
        .anyMatch(
            journalNote ->
                journalNote instanceof JournalNote.Decision it
                    && it.decision().equals("re-plan")
                    && it.reason().code() == ReasonCode.OFFER_REPLACED
                    && detail(it.reason(), "group").equals("1"));
    assertThat(world.state.leases().values())
        .filteredOn(lease -> lease.runningAt().isPresent())
        .isNotEmpty()
        .allMatch(lease -> lease.offer().equals(WorkedExampleRun.SMALLER.name()));
  }

  /** The instances of a storm are lost one after the other. */
  @Test
  void onePlanAnswersAllLossesOfABurst() {
    Instant first = VirtualEnvironment.after(VirtualEnvironment.START, 100);
    Instant second = first.plusSeconds(4);
    VirtualEnvironment world =
        world(WorkedExampleRun.replanned(CHEAP, BUDGET, DEADLINE), WorkedExampleRun.slowed(1));
    List<Double> asked = new ArrayList<>();
    world.watcher =
        command -> {
          if (command instanceof Command.Replan replan
              && replan.reason().cause() == ReplanReason.Cause.INSTANCE_LOST) {
            asked.add(Seconds.between(second, world.now));
          }
        };
    world.post(lost(1, first));
    world.post(lost(2, second));
    world.run();

    assertThat(asked).containsExactly(LeaseLosses.BURST_S);
    assertThat(world.state.ending().exitCode()).isZero();
  }

  private static RunEvent lost(int number, Instant at) {
    String lease = "test-1-" + number;
    return new RunEvent.FromCloud(
        new CloudEvent.Lost(lease, LossReason.PREEMPTED, "reclaimed", at));
  }

  @Test
  void whereNothingIsToBeHadTheRunEndsWith14() {
    VirtualEnvironment world =
        world(WorkedExampleRun.replanned(CHEAP, BUDGET, DEADLINE), WorkedExampleRun.slowed(1))
            .without(WorkedExampleRun.OFFER.name())
            .without(WorkedExampleRun.SMALLER.name())
            .run();

    assertThat(world.state.ending().exitCode()).isEqualTo(14);
    assertThat(world.state.ending().reason())
        .hasValueSatisfying(
            reason -> {
              assertThat(reason.code()).isEqualTo(ReasonCode.OFFERS_UNAVAILABLE);
              assertThat(reason.details())
                  .containsSequence(WorkedExampleRun.OFFER.name(), "sold out")
                  .containsSequence(WorkedExampleRun.SMALLER.name(), "sold out");
            });
  }

  @Test
  void movedTrialsResumeFromCheckpoints() {
    RunDefinition definition = WorkedExampleRun.replanned(CHEAP, BUDGET, DEADLINE);
    Map<String, Allocation> elsewhere =
        Map.of("1", new Allocation(WorkedExampleRun.SMALLER.name(), 8, 1, 1));
    int[] most = {0};
    VirtualEnvironment world =
        new VirtualEnvironment(definition, WorkedExampleRun.slowed(2))
            .planning(
                replanRequest -> new ReplanResponse(stay(700), Optional.of(move(400, elsewhere))));
    world.watcher = command -> most[0] = Math.max(most[0], held(world));
    world.run();

    assertThat(decisions(world)).contains("re-plan", "move");
    assertThat(most[0]).isEqualTo(8);
    assertThat(world.state.trials().values()).allMatch(trial -> trial.failures() == 0);
    assertThat(world.state.ending().instancesLeft()).isZero();
  }

  private static int held(VirtualEnvironment world) {
    return (int) world.state.leases().values().stream().filter(LeaseState::held).count();
  }

  @ParameterizedTest
  @CsvSource({
    // stay: end, $, hope, in budget | move: end, $, hope, in budget | changed?
    "600, 4, LATE, true,    400, 9, ON_TIME, true,   true", // it meets the deadline
    "600, 4, LATE, true,    400, 9, ON_TIME, false,  false", // but not beyond the budget
    "600, 4, LATE, true,    500, 9, LATE, true,      false", // missed either way
    "600, 4, LATE, true,    600, 3, LATE, true,      true", // unless it is cheaper and no later
    "600, 4, LATE, true,    700, 3, LATE, true,      false",
    "460, 4, ON_TIME, true, 470, 3.9, ON_TIME, true, false", // too small a gain
    "460, 4, ON_TIME, true, 470, 3, ON_TIME, true,   true",
    "460, 4, ON_TIME, true, 500, 2, LIKELY, true,    false", // no risk for a saving
    "600, 4, LATE, true,    490, 5, LIKELY, true,    true", // a chance, for part of the spare
    // budget
    "600, 4, LATE, true,    490, 15, LIKELY, true,   false", // but not for most of it
    "470, 25, ON_TIME, false, 475, 15, ON_TIME, true, true",
    "470, 25, ON_TIME, false, 475, 21, ON_TIME, false, true", // gets further at least
    "470, 25, ON_TIME, false, 475, 24.5, ON_TIME, false, false",
  })
  void planChangesOnlyForABetterOne(
      double stayS,
      double stayUsd,
      DeadlineOutlook stayHope,
      boolean stayInBudget,
      double moveS,
      double moveUsd,
      DeadlineOutlook moveHope,
      boolean moveInBudget,
      boolean left) {
    ReplanResponse replanResponse =
        new ReplanResponse(
            Optional.of(new Prediction(stayS, stayUsd, stayHope, stayInBudget)),
            Optional.of(
                new Move(
                    new Prediction(moveS, moveUsd, moveHope, moveInBudget),
                    Map.of("3", new Allocation(WorkedExampleRun.OFFER.name(), 2, 1, 1)))));
    VirtualEnvironment world =
        new VirtualEnvironment(
                WorkedExampleRun.replanned(CHEAP, BUDGET, DEADLINE), WorkedExampleRun.slowed(2))
            .planning(replanRequest -> replanResponse)
            .run();

    assertThat(decisions(world)).contains(left ? "re-plan" : "stay");
    assertThat(!world.state.steering().changed().isEmpty()).isEqualTo(left);
  }

  /** The second plan may take three quarters of the 11 USD that are left, or of a quarter of it. */
  @Test
  void eachPlanThatCostsMoreLowersWhatTheNextOneMayCost() {
    assertThat(afterRescue(17, DeadlineOutlook.ON_TIME, 3)).startsWith("re-plan", "re-plan");
    assertThat(afterRescue(18, DeadlineOutlook.ON_TIME, 3)).startsWith("re-plan", "stay");
    assertThat(afterRescue(11, DeadlineOutlook.LIKELY, 3)).startsWith("re-plan", "re-plan");
    assertThat(afterRescue(11.5, DeadlineOutlook.LIKELY, 3)).startsWith("re-plan", "stay");
  }

  @Test
  void lateRunReturnsToItsApprovedPlan() {
    assertThat(afterRescue(6, DeadlineOutlook.LATE, 1, 600)).startsWith("re-plan", "re-plan");
    assertThat(afterRescue(6, DeadlineOutlook.LATE, 3, 600)).startsWith("re-plan", "stay");
  }

  /**
   * The second plan is predicted to end in time. If the run is late already by causes that no
   * prediction contains, it may be late again, and the plan may only take a part of the budget.
   */
  @Test
  void delayThatWasNotPredictedLowersWhatAPlanMayCost() {
    assertThat(afterRescue(11.5, DeadlineOutlook.ON_TIME, 3, 400)).startsWith("re-plan", "re-plan");
    assertThat(afterRescue(11.5, DeadlineOutlook.ON_TIME, 3, 900)).startsWith("re-plan", "stay");
    assertThat(afterRescue(10.5, DeadlineOutlook.ON_TIME, 3, 900)).startsWith("re-plan", "re-plan");
  }

  private static List<String> afterRescue(double usd, DeadlineOutlook hope, int instances) {
    return afterRescue(usd, hope, instances, 400);
  }

  /**
   * The decisions of a run whose second response costs {@code usd} instead of 9, and is slower.
   *
   * @param stayS when the first plan, which was to end after 400 s, is then predicted to end
   */
  private static List<String> afterRescue(
      double usd, DeadlineOutlook hope, int instances, double stayS) {
    int[] asked = {0};
    VirtualEnvironment world =
        new VirtualEnvironment(
                WorkedExampleRun.replanned(CHEAP, BUDGET, DEADLINE), WorkedExampleRun.slowed(2))
            .planning(
                replanRequest ->
                    asked[0]++ == 0
                        ? response(600, 4, 9, DeadlineOutlook.ON_TIME, 2)
                        : response(stayS, 9, usd, hope, instances))
            .ticking(1200)
            .run();
    return decisions(world).stream()
        .filter(decision -> decision.equals("re-plan") || decision.equals("stay"))
        .toList();
  }

  private static ReplanResponse response(
      double stayS, double stayUsd, double moveUsd, DeadlineOutlook hope, int instances) {
    return new ReplanResponse(
        Optional.of(new Prediction(stayS, stayUsd, DeadlineOutlook.LATE, true)),
        Optional.of(
            new Move(
                new Prediction(hope == DeadlineOutlook.LATE ? 700 : 400, moveUsd, hope, true),
                Map.of("3", new Allocation(WorkedExampleRun.OFFER.name(), instances, 1, 1)))));
  }

  @Test
  void outdatedResponseIsRequestedAgain() {
    RunDefinition definition = WorkedExampleRun.replanned(CHEAP, BUDGET, DEADLINE);
    RunCore core = new RunCore(definition);
    VirtualEnvironment world = new VirtualEnvironment(definition, WorkedExampleRun.slowed(2)).run();
    int number = world.state.steering().asked();
    // All events, without the responses until the second group has started.
    RunState state = RunState.initial(definition);
    for (RunEvent event : world.told) {
      if (!(event instanceof RunEvent.Replanned) && state.chains().get(0).started().size() < 2) {
        state = core.step(state, event).state();
      }
    }
    ReplanResponse late = new ReplanResponse(stay(700), Optional.of(move(400, Map.of())));
    StepResult stepResult = core.step(state, new RunEvent.Replanned(1, late, state.now()));

    assertThat(number).isPositive();
    assertThat(stepResult.state().steering().changed()).isEmpty();
    assertThat(stepResult.commands())
        .anyMatch(command -> command instanceof Command.Replan replan && replan.number() == 2);
    assertThat(
            core.step(stepResult.state(), new RunEvent.Replanned(1, late, state.now())).commands())
        .as("outdated request")
        .isEmpty();
  }

  @Test
  void sameEventsGiveTheSameState() {
    RunDefinition definition = WorkedExampleRun.replanned(CHEAP, BUDGET, DEADLINE);
    VirtualEnvironment world = world(definition, WorkedExampleRun.slowed(2)).run();

    RunState again = RunState.initial(definition);
    for (RunEvent event : world.told) {
      again = new RunCore(definition).step(again, event).state();
    }

    assertThat(again).isEqualTo(world.state);
    assertThat(again.steering().changed()).isNotEmpty();
  }

  private static VirtualEnvironment world(
      RunDefinition definition, VirtualEnvironment.AttemptResponder attemptResponder) {
    Function<ReplanRequest, ReplanResponse> planner = new PlannerReplanner(definition)::replan;
    return new VirtualEnvironment(definition, attemptResponder).planning(planner).ticking(1200);
  }

  private static Optional<Prediction> stay(double seconds) {
    return Optional.of(new Prediction(seconds, 5, DeadlineOutlook.LATE, true));
  }

  private static Move move(double seconds, Map<String, Allocation> allocations) {
    return new Move(new Prediction(seconds, 5, DeadlineOutlook.ON_TIME, true), allocations);
  }

  private static List<String> decisions(VirtualEnvironment world) {
    return world.notes.stream()
        .filter(journalNote -> journalNote instanceof JournalNote.Decision)
        .map(journalNote -> ((JournalNote.Decision) journalNote).decision())
        .toList();
  }

  private static DecisionReason reason(VirtualEnvironment world, String decision) {
    return first(world, decision).reason();
  }

  /** The first detail with that name. */
  private static String detail(DecisionReason reason, String name) {
    List<String> names = new ArrayList<>(reason.code().details());
    names.addAll(reason.code().repeated());
    return reason.details().get(names.indexOf(name));
  }

  private static Map<String, Double> numbers(VirtualEnvironment world, String decision) {
    return first(world, decision).numbers();
  }

  private static JournalNote.Decision first(VirtualEnvironment world, String decision) {
    return world.notes.stream()
        .filter(journalNote -> journalNote instanceof JournalNote.Decision)
        .map(journalNote -> (JournalNote.Decision) journalNote)
        .filter(note -> note.decision().equals(decision))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no decision " + decision));
  }
}
