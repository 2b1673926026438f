package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.job.Budget;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.ReplanRequest;
import io.elastune.executor.decision.model.ReplanResponse;
import io.elastune.executor.decision.model.ReplanResponse.DeadlineOutlook;
import io.elastune.executor.decision.model.ReplanResponse.Move;
import io.elastune.executor.decision.model.ReplanResponse.Prediction;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.StepResult;
import io.elastune.executor.replan.PlannerReplanner;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A new plan never misses a deadline that the present plan meets by the same forecast. */
class ReplanSafetyTest {
  private static final Plan PLAN =
      WorkedExampleRun.plan(new int[][] {{2, 1}, {2, 1}, {1, 1}, {1, 2}});
  private static final double DEADLINE_S = 480;
  private static final RunDefinition DEFINITION =
      WorkedExampleRun.replanned(
          PLAN, Optional.of(new Budget(20, 0.8, Budget.OnReach.STOP)), OptionalDouble.of(480));

  /** The state with an unanswered request, and the request. */
  private record Asked(RunState state, Command.Replan request) {}

  private static Asked asked() {
    VirtualEnvironment world =
        new VirtualEnvironment(DEFINITION, WorkedExampleRun.slowed(3)).ticking(1200);
    Asked[] first = new Asked[1];
    RunState state = RunState.initial(DEFINITION);
    world.run();
    for (RunEvent event : world.told) {
      StepResult step = new RunCore(DEFINITION).step(state, event);
      state = step.state();
      for (Command command : step.commands()) {
        if (command instanceof Command.Replan replan && first[0] == null) {
          first[0] = new Asked(state, replan);
        }
      }
    }
    return first[0];
  }

  private static boolean adopts(Asked asked, ReplanResponse response) {
    RunEvent answer =
        new RunEvent.Replanned(asked.request().number(), response, asked.state().now());
    return new RunCore(DEFINITION)
        .step(asked.state(), answer).notes().stream()
            .anyMatch(
                note ->
                    note instanceof JournalNote.Decision decision
                        && decision.decision().equals("re-plan"));
  }

  @Test
  void noResponseOfAnyPlannerLosesTheDeadline() {
    Asked asked = asked();
    Random random = new Random(4);
    Map<String, Allocation> smaller =
        Map.of("3", new Allocation(WorkedExampleRun.SMALLER.name(), 1, 1, 1));
    int adopted = 0;
    for (int i = 0; i < 5000; i++) {
      Prediction stay = prediction(random);
      Prediction move = prediction(random);
      ReplanResponse response =
          new ReplanResponse(Optional.of(stay), Optional.of(new Move(move, smaller)));
      if (adopts(asked, response)) {
        adopted++;
        assertThat(move.hope())
            .as("%s instead of %s", move, stay)
            .isGreaterThanOrEqualTo(stay.hope());
      }
    }
    assertThat(adopted).isGreaterThan(500);
  }

  @Test
  void newAllocationOfTheGroupStartsANewCountOfReplacements() {
    Asked asked = asked();
    Transition counted =
        new Transition(DEFINITION, asked.state(), new RunEvent.Ticked(asked.state().now()));
    counted.chain(0, counted.chain(0).withReplaced(4));
    String group = counted.group(0).orElseThrow().name();
    Prediction stay = new Prediction(600, 20, DeadlineOutlook.LATE, true);
    Prediction move = new Prediction(300, 10, DeadlineOutlook.ON_TIME, true);
    Map<String, Allocation> changes =
        Map.of(group, new Allocation(WorkedExampleRun.OFFER.name(), 4, 1, 1));
    RunEvent answer =
        new RunEvent.Replanned(
            asked.request().number(),
            new ReplanResponse(Optional.of(stay), Optional.of(new Move(move, changes))),
            asked.state().now());

    RunState state = new RunCore(DEFINITION).step(counted.toStepResult().state(), answer).state();

    assertThat(state.steering().changed()).containsKey(group);
    assertThat(state.chains().get(0).replaced()).isZero();
  }

  private static Prediction prediction(Random random) {
    DeadlineOutlook[] all = DeadlineOutlook.values();
    return new Prediction(
        random.nextDouble(200, 800),
        random.nextDouble(1, 40),
        all[random.nextInt(all.length)],
        random.nextBoolean());
  }

  @Test
  void noSpeedMakesThePlannerLoseTheDeadline() {
    Asked asked = asked();
    Random random = new Random(5);
    for (int i = 0; i < 200; i++) {
      ReplanResponse response = new PlannerReplanner(DEFINITION).replan(request(asked, random));
      if (response.stay().isPresent() && adopts(asked, response)) {
        Prediction stay = response.stay().get();
        Prediction move = response.move().orElseThrow().prediction();
        assertThat(stay.completionS() <= DEADLINE_S && move.completionS() > DEADLINE_S)
            .as("%s instead of %s", move, stay)
            .isFalse();
      }
    }
  }

  /**
   * A late run with an expensive plan has spent more than new plans may cost. It returns to a
   * cheaper plan: otherwise it would continue with the expensive one until its budget is reached.
   */
  @Test
  void cheaperPlanNeedsNoReserveOfTheBudget() {
    Asked asked = asked();
    ReplanRequest was = asked.request().question();
    ReplanRequest.ChainProgress chain = was.chains().get(0);
    Map<String, Allocation> expensive = new HashMap<>(chain.allocations());
    chain
        .later()
        .forEach(
            group ->
                expensive.put(
                    group.name(), new Allocation(WorkedExampleRun.OFFER.name(), 6, 4, 1)));
    ReplanRequest request =
        new ReplanRequest(
            was.atS(),
            15,
            was.pace(),
            was.startupShiftS(),
            OptionalDouble.of(was.atS() + 10),
            was.budgetUsd(),
            List.of(
                new ReplanRequest.ChainProgress(
                    chain.name(),
                    chain.underWay(),
                    chain.endS(),
                    chain.running(),
                    chain.canGoOn(),
                    chain.later(),
                    expensive,
                    chain.held(),
                    chain.present(),
                    chain.trained())),
            was.refused(),
            was.prices(),
            was.losses(),
            was.rungs());

    ReplanResponse response = new PlannerReplanner(DEFINITION).replan(request);

    Prediction move = response.move().orElseThrow().prediction();
    assertThat(move.costUsd()).isBetween(15.0, response.stay().orElseThrow().costUsd());
    assertThat(move.inBudget()).isTrue();
  }

  private static ReplanRequest request(Asked asked, Random random) {
    ReplanRequest was = asked.request().question();
    return new ReplanRequest(
        was.atS(),
        was.settledUsd(),
        Math.exp(random.nextDouble(-3, 2)),
        random.nextDouble(-10, 30),
        was.deadlineS(),
        OptionalDouble.of(random.nextDouble(1, 40)),
        was.chains(),
        was.refused(),
        was.prices(),
        was.losses(),
        was.rungs());
  }

  /** Stumble B4: the profiled start-up is far longer than the actual one; units are exact. */
  @Test
  void shortStartupsDoNotShrinkTheCluster() {
    VirtualEnvironment world =
        new VirtualEnvironment(
                DEFINITION,
                (attempt, script) -> {
                  double unitS =
                      WorkedExampleRun.PROFILE
                          .secondsPerUnit(attempt.places().size())
                          .orElseThrow();
                  for (int unit = attempt.from() + 1; unit <= attempt.to(); unit++) {
                    script.report((unit - attempt.from()) * unitS, unit, 0.5);
                  }
                  script.end((attempt.to() - attempt.from()) * unitS, 0, attempt.to(), false);
                })
            .planning(new PlannerReplanner(DEFINITION)::replan)
            .ticking(1200)
            .run();

    assertThat(world.state.ending().exitCode()).isZero();
    assertThat(world.state.steering().pace().factor()).isEqualTo(1, within(1e-9));
    assertThat(world.state.steering().changed()).isEmpty();
    assertThat(decisions(world)).doesNotContain("pace", "re-plan", "at_risk");
  }

  private static List<String> decisions(VirtualEnvironment world) {
    return world.notes.stream()
        .filter(note -> note instanceof JournalNote.Decision)
        .map(note -> ((JournalNote.Decision) note).decision())
        .toList();
  }
}
