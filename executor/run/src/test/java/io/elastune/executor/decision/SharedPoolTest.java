package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.forecast.Ledger;
import io.elastune.executor.decision.model.HangLimit;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialDuration;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.RefusalReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Hyperband(9, 3) on two shared instances: the third example of docs/searches.md. */
class SharedPoolTest {
  private static final int[] GPUS = {1, 1, 4, 1, 2, 1};
  private static final double COMPLETION_S = 417.616;
  private static final double USD = 2.55;
  private static final Workload WORKLOAD =
      new Workload(
          List.of(
              chain("a", new int[][] {{9, 1}, {3, 3}, {1, 9}}),
              chain("b", new int[][] {{5, 3}, {1, 9}}),
              chain("c", new int[][] {{3, 9}})));

  private final RunDefinition definition = definition(2);
  private final VirtualEnvironment world =
      new VirtualEnvironment(definition, WorkedExampleRun.slowed(1));

  /**
   * Without faults and spread, the forecast is right from the first step to the last, but for the
   * order of tasks that end at the same time.
   */
  @Test
  void forecastIsRightAtEveryStep() {
    world.run();
    RunState state = RunState.initial(definition);
    int exact = 0;
    int steps = 0;
    for (RunEvent event : world.told) {
      state = new RunCore(definition).step(state, event).state();
      Ledger ledger = Ledger.of(definition, state);
      if (ledger.remainingSeconds() > 0) {
        double elapsed = Seconds.between(VirtualEnvironment.START, state.now());
        double forecastS = elapsed + ledger.remainingSeconds();
        assertThat(forecastS)
            .as(event.toString())
            .isCloseTo(COMPLETION_S, within(0.05 * COMPLETION_S));
        assertThat(ledger.forecastUsd()).as(event.toString()).isCloseTo(USD, within(0.15 * USD));
        exact += Math.abs(forecastS - COMPLETION_S) < 0.001 ? 1 : 0;
        steps++;
      }
    }
    assertThat(exact).as("of %d steps", steps).isGreaterThan(steps * 4 / 5);
    assertThat(world.state.ending().exitCode()).isZero();
    assertThat(completionS()).isCloseTo(COMPLETION_S, within(0.001));
    assertThat(Ledger.of(definition, world.state).spentUsd()).isCloseTo(USD, within(0.0001));
  }

  @Test
  void costsOfTheGroupsAddUpToTheBill() {
    world.run();
    Ledger ledger = Ledger.of(definition, world.state);
    double usd = 0;
    for (int chain = 0; chain < 3; chain++) {
      for (int group = 0; group < WORKLOAD.chains().get(chain).groups().size(); group++) {
        assertThat(ledger.groupUsd(chain, group)).isPositive();
        usd += ledger.groupUsd(chain, group);
      }
    }

    assertThat(usd).isCloseTo(ledger.spentUsd(), within(1e-9));
  }

  @Test
  void lostInstanceIsReplacedWhileItIsNeeded() {
    lose("test-1-2", 100);
    world.run();

    assertThat(world.state.leases()).hasSize(3);
    assertThat(completedTrials()).isEqualTo(3);
    assertThat(world.state.ending().exitCode()).isZero();
  }

  /** At 390 s the last trial of bracket a runs on one instance; the other is released. */
  @Test
  void lostInstanceIsNotReplacedIfTheOtherIsEnough() {
    LeaseState last = runTo(390);
    lose(last.lease(), 390);
    world.run();

    assertThat(world.state.leases()).hasSize(3);
    assertThat(heldAtOnce()).isLessThanOrEqualTo(2);
    assertThat(completedTrials()).isEqualTo(3);
  }

  /** One instance of two is refused: all brackets run on the other, later. */
  @Test
  void runsOnTheInstancesThatAreAvailable() {
    world.limited(WorkedExampleRun.OFFER.name(), 1, 1e6, RefusalReason.CAPACITY);
    world.run();

    assertThat(completedTrials()).isEqualTo(3);
    assertThat(world.state.ending().exitCode()).isZero();
    assertThat(completionS()).isGreaterThan(COMPLETION_S);
  }

  @Test
  void stopsIfNoInstanceIsAvailable() {
    world.without(WorkedExampleRun.OFFER.name());
    world.run();

    assertThat(world.state.ending().exitCode()).isEqualTo(14);
  }

  /** More instances than the brackets can use at once are never requested. */
  @Test
  void requestsOnlyWhatTheChainsCanUse() {
    VirtualEnvironment wide =
        new VirtualEnvironment(definition(40), WorkedExampleRun::punctual).run();

    assertThat(wide.state.leases()).hasSize(5);
  }

  private LeaseState runTo(double seconds) {
    VirtualEnvironment copy = new VirtualEnvironment(definition, WorkedExampleRun::punctual).run();
    Instant at = VirtualEnvironment.after(VirtualEnvironment.START, seconds);
    return copy.state.leases().values().stream()
        .filter(lease -> lease.releasedAt().orElseThrow().isAfter(at))
        .findFirst()
        .orElseThrow();
  }

  private void lose(String lease, double atS) {
    Instant at = VirtualEnvironment.after(VirtualEnvironment.START, atS);
    world.post(
        new RunEvent.FromCloud(new CloudEvent.Lost(lease, LossReason.PREEMPTED, "gone", at)));
  }

  private long completedTrials() {
    return world.state.trials().values().stream()
        .filter(trial -> trial.status() == TrialState.Status.COMPLETED)
        .filter(trial -> trial.unit() == 9)
        .map(TrialState::chain)
        .distinct()
        .count();
  }

  private long heldAtOnce() {
    return world.state.leases().values().stream()
        .mapToLong(
            lease ->
                world.state.leases().values().stream()
                    .filter(
                        other ->
                            !other.requestedAt().isAfter(lease.requestedAt())
                                && other.releasedAt().orElseThrow().isAfter(lease.requestedAt()))
                    .count())
        .max()
        .orElse(0);
  }

  private double completionS() {
    return Seconds.between(VirtualEnvironment.START, world.state.completedAt().orElseThrow());
  }

  private static Chain chain(String name, int[][] trialsAndUnits) {
    List<TrialGroup> groups = new ArrayList<>();
    int from = 0;
    for (int[] group : trialsAndUnits) {
      groups.add(new TrialGroup(name + "." + (groups.size() + 1), group[0], from, group[1]));
      from = group[1];
    }
    return new Chain(name, groups);
  }

  private static RunDefinition definition(int instances) {
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    Map<String, HangLimit> hangLimits = new LinkedHashMap<>();
    for (TrialGroup group : WORKLOAD.groups()) {
      int gpus = instances > 2 ? 1 : GPUS[allocations.size()];
      Allocation allocation = new Allocation(WorkedExampleRun.OFFER.name(), instances, gpus, 1);
      allocations.put(group.name(), allocation);
      TrialDuration duration = TrialDuration.of(WorkedExampleRun.PROFILE, allocation);
      hangLimits.put(
          group.name(),
          new HangLimit(Optional.of(duration), OptionalDouble.empty(), OptionalDouble.empty()));
    }
    return WorkedExampleRun.forecasting(WORKLOAD, new Plan(false, true, allocations), hangLimits);
  }
}
