package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.job.Budget;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.forecast.Ledger;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import io.elastune.provisioner.NodeExpiryLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/**
 * The time at which nodes shut themselves down, so that a run without a controller stays within its
 * budget.
 */
class NodeExpiryLimitTest {
  private static final double BUDGET_USD = 1.5;
  private static final Duration DEAD_MAN = Duration.ofMinutes(15);
  private static final int[][] SHRINKING = {{4, 1}, {2, 1}, {2, 2}, {2, 4}};

  private static RunDefinition definition(Budget.OnReach onReach) {
    return WorkedExampleRun.definition(
        WorkedExampleRun.plan(SHRINKING),
        Optional.of(new Budget(BUDGET_USD, 0.8, onReach)),
        OptionalDouble.empty());
  }

  /** All states of the run while it is running. */
  private static List<RunState> states(RunDefinition definition) {
    VirtualEnvironment world =
        new VirtualEnvironment(definition, WorkedExampleRun::punctual).ticking(400).run();
    RunCore core = new RunCore(definition);
    List<RunState> states = new ArrayList<>();
    RunState state = RunState.initial(definition);
    for (RunEvent event : world.told) {
      state = core.step(state, event).state();
      if (state.phase() == RunState.Phase.RUNNING) {
        states.add(state);
      }
    }
    return states;
  }

  @Test
  void budgetCoversNodesWithoutController() {
    RunDefinition definition = definition(Budget.OnReach.STOP);
    List<RunState> states = states(definition);
    assertThat(states).hasSizeGreaterThan(100);
    for (RunState state : states) {
      NodeExpiryLimit limit = Ledger.of(definition, state).lifeLimit(DEAD_MAN);
      Instant end = limit.latest();
      assertThat(limit.isLimited()).isTrue();
      assertThat(Ledger.of(definition, state.at(end)).spentUsd()).isLessThan(BUDGET_USD);
      if (state.leases().values().stream().anyMatch(lease -> lease.runningAt().isEmpty())) {
        continue; // their start is not known yet
      }
      // Not much earlier than necessary, and not before the controller would stop the run.
      Instant later = end.plusSeconds(3);
      Ledger beyond = Ledger.of(definition, state.at(later));
      assertThat(beyond.spentUsd() + beyond.committedUsd(0)).isGreaterThan(BUDGET_USD);
      assertThat(Ledger.of(definition, state.at(end)).answeredUsd()).isGreaterThan(BUDGET_USD);
    }
  }

  @Test
  void noLimitWithoutStopAtBudget() {
    RunDefinition definition = definition(Budget.OnReach.FINISH_GROUP);
    for (RunState state : states(definition)) {
      assertThat(Ledger.of(definition, state).lifeLimit(DEAD_MAN).isLimited()).isFalse();
    }
  }

  @Test
  void noLimitIfNodesShutDownEarlier() {
    RunDefinition definition = definition(Budget.OnReach.STOP);
    RunState state = states(definition).get(0);
    assertThat(Ledger.of(definition, state).lifeLimit(Duration.ofSeconds(10)).isLimited())
        .isFalse();
  }

  /** Rehearsal `random` 847: its clock was 56 s ahead when it was killed with a request pending. */
  @Test
  void wrongClockStaysWithinBudget() {
    RunDefinition definition = definition(Budget.OnReach.STOP);
    RunCore core = new RunCore(definition);
    RunState state =
        core.step(RunState.initial(definition), new RunEvent.Began(VirtualEnvironment.START))
            .state();
    for (int wait = 0; wait <= 60; wait += 5) {
      RunState seen = state.at(VirtualEnvironment.START.plusSeconds(wait));
      NodeExpiryLimit limit = Ledger.of(definition, seen).lifeLimit(DEAD_MAN);
      assertThat(limit.starting()).hasSize(4);
      double usd = 0;
      for (LeaseState lease : seen.leases().values()) {
        Instant ran = VirtualEnvironment.START.minusSeconds(120); // by the cloud's clock
        Instant end = limit.expiryOf(lease.lease(), ran);
        usd += 12.24 / 3600 * Seconds.between(ran, end);
      }
      assertThat(usd).as("after %d s", wait).isBetween(0.6 * BUDGET_USD, BUDGET_USD);
    }
  }

  /**
   * By the controller's clock the budget was reached a minute ago; by the cloud's, which counts, it
   * was not.
   */
  @Test
  void runningNodesUseTheCloudClock() {
    RunDefinition definition = definition(Budget.OnReach.STOP);
    for (RunState state : states(definition)) {
      if (state.leases().values().stream().anyMatch(lease -> lease.runningAt().isEmpty())) {
        continue;
      }
      Instant end = Ledger.of(definition, state).lifeLimit(DEAD_MAN).latest();
      RunState ahead = state.at(end.plusSeconds(60));
      assertThat(Ledger.of(definition, ahead).lifeLimit(DEAD_MAN).latest())
          .isBetween(end.minusMillis(20), end.plusMillis(20));
    }
  }
}
