package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.faults.FaultRate;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.Reason;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.ReplanResponse;
import io.elastune.executor.decision.model.ReplanResponse.DeadlineOutlook;
import io.elastune.executor.decision.model.ReplanResponse.Move;
import io.elastune.executor.decision.model.ReplanResponse.Prediction;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunDefinitionBuilder;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.StepResult;
import io.elastune.provisioner.LossReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Changes between spot and on-demand capacity, and between places, and their reasons. */
class SpotReturnTest {
  private static final double DEADLINE_S = 480;
  private static final Offer ON_DEMAND = WorkedExampleRun.OFFER;
  private static final Offer SPOT = spot("aws/us-east-1/us-east-1a");
  private static final Offer OTHER_ZONE = spot("aws/us-east-1/us-east-1b");
  private static final String LAST = "4";

  private static Offer spot(String infra) {
    return new Offer(
            infra,
            ON_DEMAND.instanceType(),
            ON_DEMAND.gpu(),
            ON_DEMAND.gpus(),
            Market.SPOT,
            ON_DEMAND.usdPerHour() / 3,
            ON_DEMAND.price(),
            ON_DEMAND.billing(),
            ON_DEMAND.queueS(),
            ON_DEMAND.bootS(),
            0,
            0,
            1)
        .withFaults(
            new InstanceFaultRates(
                FaultRate.NONE,
                0,
                FaultRate.NONE,
                FaultRate.NONE,
                1,
                FaultRate.NONE,
                FaultRate.assumed(2),
                120,
                0.5));
  }

  private static RunDefinition definition(Offer offer) {
    Map<String, Allocation> allocations = new TreeMap<>();
    for (String group : List.of("1", "2", "3", LAST)) {
      allocations.put(group, new Allocation(offer.name(), 2, 1, 1));
    }
    Map<String, Offer> offers = new TreeMap<>();
    List.of(ON_DEMAND, SPOT, OTHER_ZONE).forEach(one -> offers.put(one.name(), one));
    RunDefinition example =
        WorkedExampleRun.replanned(
            WorkedExampleRun.plan(new int[][] {{2, 1}, {2, 1}, {2, 1}, {2, 1}}),
            Optional.empty(),
            OptionalDouble.of(DEADLINE_S));
    return RunDefinitionBuilder.builder(example)
        .plan(new Plan(false, allocations))
        .offers(offers)
        .build();
  }

  /** The state of a run with an unanswered request, and the definition of the run. */
  private record Asked(RunDefinition definition, RunState state) {
    /** A run of slow trials, at its first request. */
    private static Asked on(Offer offer) {
      RunDefinition definition = SpotReturnTest.definition(offer);
      VirtualEnvironment world =
          new VirtualEnvironment(definition, WorkedExampleRun.slowed(3)).ticking(1200);
      world.run();
      RunState state = RunState.initial(definition);
      for (RunEvent event : world.told) {
        StepResult step = new RunCore(definition).step(state, event);
        state = step.state();
        if (step.commands().stream().anyMatch(command -> command instanceof Command.Replan)) {
          return new Asked(definition, state);
        }
      }
      throw new AssertionError("the run requests no plan");
    }

    private Transition transition() {
      return new Transition(definition, state, new RunEvent.Ticked(state.now()));
    }

    /** The same after the loss of an instance. */
    private Asked afterPreemption() {
      Transition transition = transition();
      LeaseState lease = transition.leases().get(0);
      transition.put(lease.lost(LossReason.PREEMPTED));
      return new Asked(definition, transition.toStepResult().state());
    }

    /** The state after a time in which nothing was lost. */
    private Asked after(Duration time) {
      return new Asked(definition, state.at(state.now().plus(time)));
    }

    private StepResult answered(ReplanResponse response) {
      return new RunCore(definition)
          .step(state, new RunEvent.Replanned(state.steering().asked(), response, state.now()));
    }

    /** The state after a new plan, with another unanswered request. */
    private Asked adopting(ReplanResponse response) {
      RunState next = answered(response).state();
      Transition transition = new Transition(definition, next, new RunEvent.Ticked(next.now()));
      transition.steering(transition.steering().awaitingResponse(transition.steering().basis()));
      return new Asked(definition, transition.toStepResult().state());
    }

    private Reason reason(ReplanResponse response) {
      List<Reason> codes = new ArrayList<>();
      for (JournalNote note : answered(response).notes()) {
        if (note instanceof JournalNote.Decision decision
            && List.of("re-plan", "stay").contains(decision.decision())) {
          codes.add(decision.reason().code());
        }
      }
      assertThat(codes).hasSize(1);
      return codes.get(0);
    }
  }

  /** The last group moves to {@code offer}, which is on time and cheaper. */
  private static ReplanResponse to(Offer offer, double stayS, DeadlineOutlook stay) {
    return new ReplanResponse(
        Optional.of(new Prediction(stayS, 20, stay, true)),
        Optional.of(
            new Move(
                new Prediction(440, 10, DeadlineOutlook.ON_TIME, true),
                Map.of(LAST, new Allocation(offer.name(), 2, 1, 1)))));
  }

  private static ReplanResponse leave() {
    return to(ON_DEMAND, 600, DeadlineOutlook.LATE);
  }

  @Test
  void returnToSpotNeedsNewEvidence() {
    Asked left = Asked.on(SPOT).afterPreemption().adopting(leave());

    assertThat(Asked.on(SPOT).afterPreemption().reason(leave())).isEqualTo(ReasonCode.SPOT_LEFT);
    assertThat(left.state().steering().departure()).isPresent();
    assertThat(left.reason(to(SPOT, 440, DeadlineOutlook.ON_TIME)))
        .isEqualTo(ReasonCode.SPOT_RETURN_WITHOUT_EVIDENCE);
    assertThat(left.answered(to(SPOT, 440, DeadlineOutlook.ON_TIME)).state().steering().changed())
        .isEqualTo(left.state().steering().changed());
  }

  @Test
  void runThatIsEarlierThanPredictedReturnsToSpot() {
    Asked left = Asked.on(SPOT).afterPreemption().adopting(leave());
    ReplanResponse earlier = to(SPOT, 440 - 0.06 * DEADLINE_S, DeadlineOutlook.ON_TIME);

    assertThat(left.reason(earlier)).isEqualTo(ReasonCode.SPOT_USED);
    assertThat(left.answered(earlier).state().steering().departure()).isEmpty();
    assertThat(left.reason(to(SPOT, 440 - 0.04 * DEADLINE_S, DeadlineOutlook.ON_TIME)))
        .isEqualTo(ReasonCode.SPOT_RETURN_WITHOUT_EVIDENCE);
  }

  @Test
  void placeWithoutFurtherPreemptionsIsUsedAgain() {
    Asked left = Asked.on(SPOT).afterPreemption().adopting(leave());

    assertThat(left.after(Duration.ofHours(2)).reason(to(SPOT, 440, DeadlineOutlook.ON_TIME)))
        .isEqualTo(ReasonCode.SPOT_USED);
  }

  @Test
  void departureIsNeverRefused() {
    Asked returned =
        Asked.on(SPOT)
            .afterPreemption()
            .adopting(leave())
            .adopting(to(SPOT, 300, DeadlineOutlook.ON_TIME));

    assertThat(returned.reason(leave())).isEqualTo(ReasonCode.SPOT_LEFT);
  }

  @Test
  void runThatHasNotLeftSpotMayUseIt() {
    assertThat(Asked.on(ON_DEMAND).reason(to(SPOT, 440, DeadlineOutlook.ON_TIME)))
        .isEqualTo(ReasonCode.SPOT_USED);
  }

  @Test
  void changeOfThePlaceIsAReasonAfterLossesOnly() {
    ReplanResponse move = to(OTHER_ZONE, 440, DeadlineOutlook.ON_TIME);

    assertThat(Asked.on(SPOT).afterPreemption().reason(move)).isEqualTo(ReasonCode.PLACE_CHANGED);
    assertThat(Asked.on(SPOT).reason(move)).isEqualTo(ReasonCode.BETTER_PLAN);
  }
}
