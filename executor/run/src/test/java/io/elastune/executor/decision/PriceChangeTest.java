package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Plan;
import io.elastune.executor.decision.forecast.Ledger;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.ReplanReason;
import io.elastune.executor.decision.model.ReplanRequest;
import io.elastune.executor.decision.model.ReplanResponse;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunDefinitionBuilder;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.replan.PlannerReplanner;
import io.elastune.provisioner.CloudEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** A cloud that charges a different price than planned. */
class PriceChangeTest {
  private static final Plan GROWING =
      WorkedExampleRun.plan(new int[][] {{1, 1}, {1, 1}, {1, 1}, {1, 2}});
  private static final OptionalDouble DEADLINE = OptionalDouble.of(900);
  private static final double TRIPLE = 3 * WorkedExampleRun.OFFER.usdPerHour();

  @Test
  void replansWithThePresentPrice() {
    RunDefinition definition = WorkedExampleRun.replanned(GROWING, Optional.empty(), DEADLINE);
    VirtualEnvironment world = world(definition, TRIPLE);
    List<ReplanRequest> replanRequests = new ArrayList<>();
    PlannerReplanner planner = new PlannerReplanner(definition);
    world.planning(
        replanRequest -> {
          replanRequests.add(replanRequest);
          return planner.replan(replanRequest);
        });
    world.run();

    assertThat(replanRequests.get(0).prices())
        .isEqualTo(Map.of(WorkedExampleRun.OFFER.name(), TRIPLE));
    assertThat(world.state.steering().changed().values())
        .isNotEmpty()
        .allMatch(allocation -> allocation.offer().equals(WorkedExampleRun.SMALLER.name()));
    assertThat(world.state.ending().exitCode()).isZero();
    double kept =
        Ledger.of(
                definition.withoutReplanning(),
                world(definition.withoutReplanning(), TRIPLE).run().state)
            .spentUsd();
    assertThat(Ledger.of(definition, world.state).spentUsd()).isLessThan(kept);
  }

  @Test
  void samePriceCausesOneRequest() {
    Plan two = WorkedExampleRun.plan(new int[][] {{2, 1}, {2, 1}, {2, 1}, {2, 2}});
    RunDefinition definition = WorkedExampleRun.replanned(two, Optional.empty(), DEADLINE);
    VirtualEnvironment world =
        new VirtualEnvironment(definition, WorkedExampleRun.slowed(1))
            .planning(replanRequest -> ReplanResponse.NONE);
    price(world, 1, TRIPLE);
    price(world, 2, TRIPLE);
    world.run();

    assertThat(world.commands).filteredOn(command -> command instanceof Command.Replan).hasSize(1);
  }

  @Test
  void laterLeasesAndForecastUseTheNewPrice() {
    Plan growing = WorkedExampleRun.plan(new int[][] {{1, 1}, {2, 1}, {2, 1}, {2, 2}});
    RunDefinition definition = WorkedExampleRun.replanned(growing, Optional.empty(), DEADLINE);
    VirtualEnvironment world =
        new VirtualEnvironment(definition, WorkedExampleRun.slowed(1))
            .planning(replanRequest -> ReplanResponse.NONE);
    double[] forecasts = {0, 0};
    world.watcher =
        command -> {
          int which = command instanceof Command.Replan ? 1 : 0;
          if (forecasts[which] == 0) {
            forecasts[which] = Ledger.of(definition, world.state).forecastUsd();
          }
        };
    price(world, 1, TRIPLE);
    world.run();

    assertThat(world.state.leases().get(2).usdPerHour()).isEqualTo(TRIPLE);
    assertThat(forecasts[1]).isEqualTo(3 * forecasts[0], within(0.05));
  }

  @Test
  void resumingAtOtherPricesRequestsAPlan() {
    RunDefinition definition = WorkedExampleRun.replanned(GROWING, Optional.empty(), DEADLINE);
    VirtualEnvironment world = new VirtualEnvironment(definition, WorkedExampleRun.slowed(1));
    RunCore core = new RunCore(definition);
    world.run();
    RunState state = RunState.initial(definition);
    for (RunEvent event : world.told.subList(0, 10)) {
      state = core.step(state, event).state();
    }
    Map<String, Offer> offers = new HashMap<>(definition.offers());
    offers.put(WorkedExampleRun.OFFER.name(), WorkedExampleRun.OFFER.withUsdPerHour(TRIPLE));
    RunEvent resumed = new RunEvent.Resumed(0, state.now());

    assertThat(core.step(state, resumed).commands())
        .noneMatch(command -> command instanceof Command.Replan);
    assertThat(new RunCore(definition.withOffers(offers)).step(state, resumed).commands())
        .anyMatch(
            command ->
                command instanceof Command.Replan replan
                    && replan
                        .reason()
                        .equals(new ReplanReason(ReplanReason.Cause.PRICE_CHANGED, name())));
  }

  private static String name() {
    return WorkedExampleRun.OFFER.name();
  }

  @Test
  void forecastsFollowTheOffersPrices() {
    RunDefinition planned = WorkedExampleRun.replanned(GROWING, Optional.empty(), DEADLINE);
    RunDefinition definition =
        RunDefinitionBuilder.builder(planned)
            .forecasts(Map.of("1", new RunDefinition.Forecast(100, 2)))
            .build();
    Map<String, Offer> offers = new HashMap<>(definition.offers());
    offers.put(name(), WorkedExampleRun.OFFER.withUsdPerHour(TRIPLE));

    assertThat(definition.withOffers(offers).forecasts())
        .isEqualTo(Map.of("1", new RunDefinition.Forecast(100, 6)));
  }

  private static VirtualEnvironment world(RunDefinition definition, double usdPerHour) {
    VirtualEnvironment world = new VirtualEnvironment(definition, WorkedExampleRun.slowed(1));
    price(world, 1, usdPerHour);
    return world.ticking(1200);
  }

  private static void price(VirtualEnvironment world, int lease, double usdPerHour) {
    world.post(
        new RunEvent.FromCloud(
            new CloudEvent.Priced(
                "test-1-" + lease,
                usdPerHour,
                VirtualEnvironment.after(VirtualEnvironment.START, 16))));
  }
}
