package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.billing.HourlyCosts;
import io.elastune.core.job.Budget;
import io.elastune.core.plan.Plan;
import io.elastune.executor.decision.forecast.Ledger;
import io.elastune.executor.decision.model.RunDefinition;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Costs per hour besides instances: the controller's machine and stored checkpoints. */
class RunningCostsTest {
  private static final double COMPLETION_S = 242.163;
  private static final double INSTANCES_USD = 2.2304;
  private static final Plan PLAN =
      WorkedExampleRun.plan(new int[] {4, 1}, new int[] {2, 1}, new int[] {2, 2}, new int[] {2, 4});

  @Test
  void countFromStartToCompletion() {
    RunDefinition definition =
        WorkedExampleRun.definition(
            PLAN, Optional.empty(), OptionalDouble.empty(), new HourlyCosts(1.2, 0.09));
    VirtualEnvironment world = new VirtualEnvironment(definition, WorkedExampleRun::punctual).run();
    Ledger ledger = Ledger.of(definition, world.state);

    assertThat(ledger.runningCostsUsd()).isEqualTo(1.29 * COMPLETION_S / 3600, within(1e-6));
    assertThat(ledger.spentUsd())
        .isEqualTo(INSTANCES_USD + 1.29 * COMPLETION_S / 3600, within(0.0001));
    assertThat(ledger.forecastUsd()).isEqualTo(ledger.spentUsd(), within(1e-12));
  }

  @Test
  void countTowardTheBudget() {
    Budget budget = new Budget(3, 1, Budget.OnReach.STOP);
    RunDefinition limited =
        WorkedExampleRun.definition(
            PLAN, Optional.of(budget), OptionalDouble.empty(), new HourlyCosts(0, 40));
    VirtualEnvironment world =
        new VirtualEnvironment(limited, WorkedExampleRun::punctual).ticking(400).run();

    // The instances alone would have cost 2.23 USD.
    assertThat(world.state.ending().exitCode()).isEqualTo(11);
    assertThat(Ledger.of(limited, world.state).spentUsd()).isBetween(2.0, 3.0);
  }
}
