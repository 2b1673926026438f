package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.IntRange;
import io.elastune.core.job.Budget;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.Workload;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.ReplanReason.Cause;
import io.elastune.executor.decision.model.ReplanRequest;
import io.elastune.executor.decision.model.ReplanResponse;
import io.elastune.executor.decision.model.ReplanResponse.DeadlineOutlook;
import io.elastune.executor.decision.model.ReplanResponse.Prediction;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunDefinition.Planning.RungChanges;
import io.elastune.executor.decision.model.RunDefinitionBuilder;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.replan.PlannerReplanner;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LossReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/**
 * Five trials on two instances of four GPUs, without a deadline: the first trial ends after 20 s,
 * so that the only task on the second instance fits on the first one.
 */
class RungMovesTest {
  private static final double READY_S = 75;
  private static final double FIRST_END_S = READY_S + 20;
  private static final int TRIALS = 5;
  private static final double BUDGET_USD = 20;
  private static final RungRule RULE =
      new RungRule(
          List.of(10, 20),
          TRIALS,
          2,
          RungRule.Variant.PROMOTION,
          true,
          OptionalInt.empty(),
          OptionalInt.empty(),
          false);

  private final List<Cause> causes = new ArrayList<>();

  @Test
  void movesTheLastTaskIfThatIsCheaper() {
    VirtualEnvironment world = run(2, 0, request -> answer(400, 4, 401, 3, closing(1, 1)));

    assertThat(causes).startsWith(Cause.MOVABLE);
    assertThat(stopped(world)).containsExactly(TRIALS);
    assertThat(decisions(world)).contains("re-plan", "move");
    assertThat(world.state.leases().get(2).terminatedAt()).isPresent();
    assertThat(world.state.ending().exitCode()).isZero();
  }

  /** The planner's own answer: with a budget only, other plans are better if they end earlier. */
  @Test
  void thePlannerMovesTheLastTaskWithoutADeadline() {
    VirtualEnvironment world = run(2, 0, new PlannerReplanner(definition(2))::replan);

    assertThat(causes).startsWith(Cause.MOVABLE);
    assertThat(stopped(world)).containsExactly(TRIALS);
    assertThat(decisions(world)).contains("re-plan", "move");
  }

  @Test
  void keepsTasksInTheirPlacesIfThePlanGetsMoreInstancesOrOtherSizes() {
    for (Allocation then : List.of(closing(2, 1), closing(1, 2))) {
      VirtualEnvironment world = run(1, 3, request -> answer(400, 4, 300, 4, then));

      assertThat(world.state.steering().changed()).containsEntry(Workload.CLOSING, then);
      assertThat(stopped(world)).isEmpty();
      assertThat(decisions(world)).contains("re-plan").doesNotContain("move");
    }
  }

  /** While all five tasks run, no GPU of the first instance is free. */
  @Test
  void movesNoTaskThatDoesNotFit() {
    VirtualEnvironment world = run(2, 3, request -> answer(400, 4, 401, 3, closing(1, 1)));

    assertThat(causes).startsWith(Cause.PACE);
    assertThat(decisions(world)).contains("stay").doesNotContain("re-plan", "move");
    assertThat(stopped(world)).isEmpty();
  }

  /** The other instance is lost between the request and the response. */
  @Test
  void asksAgainIfTheTaskNoLongerFits() {
    VirtualEnvironment world =
        world(
            2,
            0,
            request ->
                causes.size() == 1
                    ? answer(400, 4, 401, 3, closing(1, 1))
                    : new ReplanResponse(stay(400, 4), Optional.empty()));
    world.post(
        new RunEvent.FromCloud(
            new CloudEvent.Lost(
                "test-1-1",
                LossReason.FAILED,
                "gone",
                VirtualEnvironment.after(VirtualEnvironment.START, FIRST_END_S + 0.005))));
    world.run();

    assertThat(causes).startsWith(Cause.MOVABLE).hasSizeGreaterThan(1);
    assertThat(decisions(world)).doesNotContain("re-plan", "move");
    assertThat(stopped(world)).isEmpty();
  }

  /** All groups are sent, also the phase that has ended: its instances limit those of the other. */
  @Test
  void sendsThePresentAllocationsOfBothPhases() {
    List<ReplanRequest> requests = new ArrayList<>();
    run(
        2,
        0,
        request -> {
          requests.add(request);
          return new ReplanResponse(stay(400, 4), Optional.empty());
        });

    assertThat(requests.get(0).chains().get(0).allocations())
        .containsOnlyKeys(Workload.OPEN, Workload.CLOSING);
  }

  private interface Planner {
    ReplanResponse answer(ReplanRequest request);
  }

  private VirtualEnvironment run(int closing, int reported, Planner planner) {
    return world(closing, reported, planner).run();
  }

  /**
   * Creates the run.
   *
   * @param closing instances of the phase closing
   * @param reported units that each task reports; they take longer than predicted
   */
  private VirtualEnvironment world(int closing, int reported, Planner planner) {
    VirtualEnvironment world =
        new VirtualEnvironment(
                definition(closing),
                (attempt, script) -> {
                  boolean isFirst = attempt.trial() == 1 && reported == 0;
                  double seconds = isFirst ? FIRST_END_S - READY_S : 600;
                  for (int unit = attempt.from() + 1; unit <= attempt.from() + reported; unit++) {
                    script.report(50.0 * (unit - attempt.from()), unit, attempt.trial());
                  }
                  script
                      .report(seconds, attempt.to(), attempt.trial())
                      .end(seconds, 0, attempt.to(), false);
                })
            .planning(planner::answer)
            .ticking(3000);
    world.watcher =
        command -> {
          if (command instanceof Command.Replan replan) {
            causes.add(replan.reason().cause());
          }
        };
    return world;
  }

  private static RunDefinition definition(int closing) {
    Plan plan =
        new Plan(
            false, Map.of(Workload.OPEN, closing(2, 1), Workload.CLOSING, closing(closing, 1)));
    RunDefinition fixed = WorkedExampleRun.forecasting(Workload.of(RULE), plan, Map.of());
    RunDefinition.Planning planning = fixed.planning().orElseThrow();
    return RunDefinitionBuilder.builder(fixed)
        .budget(Optional.of(new Budget(BUDGET_USD, 0.8, Budget.OnReach.STOP)))
        .budgetLeftUsd(OptionalDouble.of(BUDGET_USD))
        .planning(
            Optional.of(
                new RunDefinition.Planning(
                    planning.profiles(),
                    new IntRange(1, 1),
                    new Limits(OptionalDouble.empty(), OptionalDouble.empty(), 0.95, 64, 1e9),
                    1,
                    Optional.of(RungChanges.PLACES),
                    Optional.empty())))
        .build();
  }

  private static Allocation closing(int instances, int gpus) {
    return new Allocation(WorkedExampleRun.OFFER.name(), instances, gpus, 1);
  }

  private static ReplanResponse answer(
      double stayS, double stayUsd, double moveS, double moveUsd, Allocation closing) {
    return new ReplanResponse(
        stay(stayS, stayUsd),
        Optional.of(
            new ReplanResponse.Move(
                new Prediction(moveS, moveUsd, DeadlineOutlook.ON_TIME, true),
                Map.of(Workload.CLOSING, closing))));
  }

  private static Optional<Prediction> stay(double seconds, double usd) {
    return Optional.of(new Prediction(seconds, usd, DeadlineOutlook.ON_TIME, true));
  }

  private static List<Integer> stopped(VirtualEnvironment world) {
    return world.commands.stream()
        .filter(Command.StopAttempt.class::isInstance)
        .map(
            command ->
                Integer.parseInt(((Command.StopAttempt) command).attempt().split("-", -1)[0]))
        .toList();
  }

  private static List<String> decisions(VirtualEnvironment world) {
    return world.notes.stream()
        .filter(JournalNote.Decision.class::isInstance)
        .map(note -> ((JournalNote.Decision) note).decision())
        .toList();
  }
}
