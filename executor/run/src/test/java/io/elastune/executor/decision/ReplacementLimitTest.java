package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Lost instances after a group in progress was re-planned to fewer instances. */
class ReplacementLimitTest {
  private static final Instant AT = VirtualEnvironment.START;
  private static final RunDefinition DEFINITION =
      WorkedExampleRun.definition(
          WorkedExampleRun.plan(new int[][] {{8, 1}, {2, 1}, {1, 1}, {1, 2}}));

  @Test
  void surplusInstancesAreNotReplaced() {
    Transition transition = replannedToOneInstance();
    List<LeaseState> leases = List.copyOf(transition.leases());

    leases.subList(0, 7).forEach(lease -> lose(transition, lease));

    assertThat(transition.running()).isTrue();
    assertThat(transition.leases()).hasSize(8);
    assertThat(transition.chain(0).replaced()).isZero();
  }

  @Test
  void instancesThatTheGroupNeedsAreReplacedUpToTheLimit() {
    Transition transition = replannedToOneInstance();
    List.copyOf(transition.leases()).forEach(lease -> lose(transition, lease));
    assertThat(transition.chain(0).replaced()).isEqualTo(1);

    for (int i = 0; i < 5; i++) {
      assertThat(transition.running()).isTrue();
      List<LeaseState> leases = List.copyOf(transition.leases());
      lose(transition, leases.get(leases.size() - 1));
    }

    assertThat(transition.running()).isFalse();
    assertThat(transition.leases()).hasSize(13);
  }

  @Test
  void offerOfWhichTooManyInstancesAreLostIsLeft() {
    Offer other = WorkedExampleRun.OFFER.withUsdPerHour(20).toSimulated();
    RunDefinition one =
        WorkedExampleRun.replanned(
            WorkedExampleRun.plan(new int[][] {{1, 1}, {1, 1}, {1, 1}, {1, 2}}),
            Optional.empty(),
            OptionalDouble.of(4_000));
    RunDefinition definition =
        one.withOffers(
            Map.of(WorkedExampleRun.OFFER.name(), WorkedExampleRun.OFFER, other.name(), other));
    RunState begun =
        new RunCore(definition).step(RunState.initial(definition), new RunEvent.Began(AT)).state();
    Transition transition =
        new Transition(definition, begun, new RunEvent.Ticked(AT.plusSeconds(60)));

    for (int i = 0; i < 6; i++) {
      List<LeaseState> leases = List.copyOf(transition.leases());
      lose(transition, leases.get(leases.size() - 1));
    }

    assertThat(transition.running()).isTrue();
    assertThat(ReplanTrigger.refused(transition)).containsOnlyKeys(WorkedExampleRun.OFFER.name());
    assertThat(transition.steering().doubt()).isPresent();
  }

  /** Of a team that cannot be reached, one instance is lost at least. */
  @Test
  void teamCountsAsOneLoss() {
    RunDefinition definition =
        WorkedExampleRun.definition(
            WorkedExampleRun.plan(new int[][] {{2, 8}, {1, 1}, {1, 1}, {1, 2}}));
    RunState begun =
        new RunCore(definition).step(RunState.initial(definition), new RunEvent.Began(AT)).state();
    Transition transition =
        new Transition(definition, begun, new RunEvent.Ticked(AT.plusSeconds(60)));

    for (int i = 0; i < 6; i++) {
      assertThat(transition.running()).isTrue();
      assertThat(transition.chain(0).replaced()).isEqualTo(i);
      List<LeaseState> held = transition.held(0, WorkedExampleRun.OFFER.name());
      assertThat(held).hasSize(2);
      LostInstances.replaceInstances(transition, held, ReasonCode.RELEASED_LOST);
    }

    assertThat(transition.leases()).hasSize(14);
    LostInstances.replaceInstances(
        transition, transition.held(0, WorkedExampleRun.OFFER.name()), ReasonCode.RELEASED_LOST);
    assertThat(transition.running()).isFalse();
  }

  private static void lose(Transition transition, LeaseState lease) {
    LostInstances.replaceInstance(transition, lease, ReasonCode.RELEASED_LOST);
  }

  /** Returns a run whose first group holds 8 instances and needs only one. */
  private static Transition replannedToOneInstance() {
    RunState begun =
        new RunCore(DEFINITION).step(RunState.initial(DEFINITION), new RunEvent.Began(AT)).state();
    Transition transition =
        new Transition(DEFINITION, begun, new RunEvent.Ticked(AT.plusSeconds(60)));
    String offer = WorkedExampleRun.OFFER.name();
    transition.steering(
        transition.steering().with(Map.of("1", new Allocation(offer, 1, 1, 1)), Set.of()));
    return transition;
  }
}
