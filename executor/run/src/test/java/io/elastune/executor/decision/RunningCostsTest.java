package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.billing.HourlyCosts;
import io.elastune.core.job.Budget;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferBuilder;
import io.elastune.core.plan.Plan;
import io.elastune.executor.decision.forecast.Ledger;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.ReplanResponse;
import io.elastune.executor.decision.model.RunDefinition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  @Test
  void forecastsCountTheRestOfTheIncrementWhileAnInstanceIsReleased() {
    RunDefinition planned =
        WorkedExampleRun.replanned(PLAN, Optional.empty(), OptionalDouble.of(900));
    Map<String, Offer> offers = new HashMap<>();
    planned
        .offers()
        .forEach(
            (name, offer) ->
                offers.put(
                    name,
                    OfferBuilder.builder(offer)
                        .billing(new BillingTerms(BillingTerms.Per.INSTANCE, 3600, 0, 0))
                        .build()));
    RunDefinition definition = planned.withOffers(offers);
    VirtualEnvironment world =
        new VirtualEnvironment(definition, WorkedExampleRun::punctual)
            .planning(replanRequest -> ReplanResponse.NONE);
    List<Double> forecasts = new ArrayList<>();
    world.watcher =
        command -> {
          if (command instanceof Command.ReleaseInstance) {
            forecasts.add(Ledger.of(definition, world.state).forecastUsd());
          }
        };
    world.run();

    double finallyUsd = Ledger.of(definition, world.state).spentUsd();
    assertThat(forecasts)
        .isNotEmpty()
        .allSatisfy(usd -> assertThat(usd).isEqualTo(finallyUsd, within(1e-6)));
  }
}
