package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Plan;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.CapacityWait;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.StepResult;
import io.elastune.executor.replan.PlannerReplanner;
import io.elastune.provisioner.RefusalReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A run that waits for capacity ({@code resources.wait_for_capacity}). */
class CapacityRetryTest {
  private static final Plan PLAN =
      WorkedExampleRun.plan(new int[][] {{2, 1}, {2, 1}, {1, 1}, {1, 2}});
  private static final Plan TEAMS =
      WorkedExampleRun.plan(new int[][] {{2, 8}, {2, 8}, {2, 8}, {2, 8}});
  private static final String OFFER = WorkedExampleRun.OFFER.name();
  private static final int LONG_S = 4000;

  /** The seconds at which instances were requested, each once. */
  private final List<Double> requestedAtS = new ArrayList<>();

  private static RunDefinition waiting(RunDefinition definition) {
    return definition.withWaitForCapacity(Optional.of(Duration.ofMinutes(30)));
  }

  private VirtualEnvironment world(RunDefinition definition) {
    VirtualEnvironment world =
        new VirtualEnvironment(definition, WorkedExampleRun.slowed(1)).ticking(LONG_S);
    world.watcher =
        command -> {
          double atS = Seconds.between(VirtualEnvironment.START, world.now);
          if (command instanceof Command.RequestInstance && !requestedAtS.contains(atS)) {
            requestedAtS.add(atS);
          }
        };
    return world;
  }

  private static List<String> decisions(VirtualEnvironment world) {
    return world.notes.stream()
        .filter(JournalNote.Decision.class::isInstance)
        .map(note -> ((JournalNote.Decision) note).decision())
        .toList();
  }

  @Test
  void retriesAtGrowingIntervalsUntilCapacityIsAvailable() {
    VirtualEnvironment world =
        world(waiting(WorkedExampleRun.definition(PLAN)))
            .limited(OFFER, 0, 600, RefusalReason.CAPACITY)
            .run();

    assertThat(world.state.ending().exitCode()).isZero();
    assertThat(requestedAtS).startsWith(0.0, 60.0, 180.0, 420.0, 720.0);
    assertThat(decisions(world)).filteredOn("waiting"::equals).hasSize(4);
    assertThat(decisions(world)).containsOnlyOnce("available");
    assertThat(world.state.steering().market().waits()).isEmpty();
  }

  @Test
  void lastRetryIsAtTheEndOfTheWait() {
    VirtualEnvironment world =
        world(waiting(WorkedExampleRun.definition(PLAN))).without(OFFER).run();

    assertThat(world.state.ending().exitCode()).isEqualTo(14);
    assertThat(requestedAtS)
        .containsExactly(0.0, 60.0, 180.0, 420.0, 720.0, 1020.0, 1320.0, 1620.0, 1800.0);
    assertThat(Seconds.between(VirtualEnvironment.START, world.now)).isBetween(1800.0, 1802.0);
    assertThat(world.state.leases().values()).noneMatch(lease -> lease.runningAt().isPresent());
  }

  @ParameterizedTest
  @CsvSource({"QUOTA, 14", "INVALID, 14", "PERMISSION, 15"})
  void refusalsThatDoNotEndByThemselvesStopTheRun(RefusalReason reason, int exit) {
    VirtualEnvironment world =
        world(waiting(WorkedExampleRun.definition(PLAN))).limited(OFFER, 0, LONG_S, reason).run();

    assertThat(world.state.ending().exitCode()).isEqualTo(exit);
    assertThat(requestedAtS).containsExactly(0.0);
  }

  @Test
  void everyOfferIsRequestedAgain() {
    RunDefinition definition =
        waiting(WorkedExampleRun.replanned(PLAN, Optional.empty(), OptionalDouble.of(LONG_S)));
    VirtualEnvironment world =
        world(definition)
            .planning(new PlannerReplanner(definition)::replan)
            .without(OFFER)
            .limited(WorkedExampleRun.SMALLER.name(), 0, 600, RefusalReason.CAPACITY)
            .run();

    assertThat(world.state.ending().exitCode()).isZero();
    assertThat(decisions(world)).contains("waiting", "available");
    assertThat(world.state.leases().values())
        .filteredOn(lease -> lease.runningAt().isPresent())
        .isNotEmpty()
        .allMatch(lease -> lease.offer().equals(WorkedExampleRun.SMALLER.name()));
  }

  @Test
  void waitCountsTowardTheDeadline() {
    RunDefinition definition =
        waiting(WorkedExampleRun.replanned(PLAN, Optional.empty(), OptionalDouble.of(500)));
    VirtualEnvironment world =
        world(definition)
            .planning(new PlannerReplanner(definition)::replan)
            .limited(OFFER, 0, 600, RefusalReason.CAPACITY)
            .limited(WorkedExampleRun.SMALLER.name(), 0, 600, RefusalReason.CAPACITY)
            .run();

    assertThat(decisions(world).indexOf("at_risk"))
        .isNotNegative()
        .isLessThan(decisions(world).indexOf("available"));
    assertThat(world.state.ending().exitCode()).isEqualTo(13);
  }

  @Test
  void incompleteTeamIsReleasedWhileItWaits() {
    VirtualEnvironment world =
        world(waiting(WorkedExampleRun.definition(TEAMS)))
            .limited(OFFER, 1, 600, RefusalReason.CAPACITY);
    List<Integer> heldWhileWaiting = new ArrayList<>();
    var requests = world.watcher;
    world.watcher =
        command -> {
          requests.accept(command);
          heldWhileWaiting.add(
              world.state.steering().market().waits().values().stream()
                      .anyMatch(wait -> wait.retryAt().isPresent())
                  ? (int) world.state.leases().values().stream().filter(LeaseState::held).count()
                  : 0);
        };
    world.run();

    assertThat(world.state.ending().exitCode()).isZero();
    assertThat(heldWhileWaiting).containsOnly(0);
    assertThat(decisions(world)).contains("waiting", "available");
  }

  @Test
  void anotherControllerContinuesTheWait() {
    VirtualEnvironment world =
        new VirtualEnvironment(
                waiting(WorkedExampleRun.definition(PLAN)), WorkedExampleRun.slowed(1))
            .without(OFFER)
            .run();
    CapacityWait wait = world.state.steering().market().waits().get(0);

    world.post(new RunEvent.Resumed(0, VirtualEnvironment.START.plusSeconds(1750)));
    world.run();

    CapacityWait later = world.state.steering().market().waits().get(0);
    assertThat(later.since()).isEqualTo(wait.since());
    assertThat(later.retryAt()).contains(VirtualEnvironment.START.plusSeconds(1800));
    world.post(new RunEvent.Resumed(0, VirtualEnvironment.START.plusSeconds(1801)));
    world.run();
    assertThat(world.state.ending().exitCode()).isEqualTo(14);
  }

  @Test
  void resumedRunThatHadEndedWaitsAgain() {
    VirtualEnvironment world =
        world(waiting(WorkedExampleRun.definition(PLAN))).without(OFFER).run();
    assertThat(world.state.phase()).isEqualTo(RunState.Phase.FINISHED);

    Instant later = VirtualEnvironment.START.plusSeconds(LONG_S);
    StepResult resumed =
        new RunCore(waiting(WorkedExampleRun.definition(PLAN)))
            .step(world.state, new RunEvent.Resumed(0, later));

    assertThat(resumed.commands()).anyMatch(Command.RequestInstance.class::isInstance);
    assertThat(resumed.state().steering().market().waits()).isEmpty();
  }
}
