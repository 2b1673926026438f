package io.elastune.executor.simulation;

import io.elastune.core.Spread;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineContract;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.Tags;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Runs the contract suite of engines against the simulated engine. */
class SimulatedEngineTest extends EngineContract {
  private static final Offer OFFER =
      new Offer(
          "simulated",
          "contract",
          "cpu",
          2,
          Market.ON_DEMAND,
          0.1,
          PriceKind.NOTIONAL,
          BillingTerms.BY_THE_SECOND,
          Spread.NONE,
          Spread.NONE,
          0,
          0,
          1);

  private final SimulatedEnvironment world = withInstances();

  private SimulatedEnvironment withInstances() {
    SimulatedEnvironment world =
        new SimulatedEnvironment(1, FaultRates.NONE, new CommandDrivenTraining());
    Cloud cloud = world.cloud(event -> {});
    for (int number = 1; number <= 2; number++) {
      String lease = run + "-" + number;
      Map<String, String> tags =
          Map.of(Tags.RUN, run, Tags.OWNER, "tester", Tags.LEASE, lease, Tags.EXPIRES, "1");
      cloud.request(
          new LeaseRequest(run, lease, OFFER, Optional.empty(), tags, Duration.ofSeconds(20)));
    }
    world.time().advance(Duration.ofSeconds(1));
    return world;
  }

  @Override
  protected Engine open(Consumer<EngineEvent> consumer) {
    return world.engine(consumer, 2);
  }

  @Override
  protected void advance(Duration time) {
    world.time().advance(time);
  }

  @Override
  protected boolean isRunning(String attempt) {
    return world.isRunning(attempt);
  }

  @Override
  protected String command(Trial trial) {
    return switch (trial) {
      case SUCCEEDS -> CommandDrivenTraining.SUCCEEDS;
      case CRASHES -> CommandDrivenTraining.CRASHES;
      case SAVES_WHEN_STOPPED -> CommandDrivenTraining.SAVES;
      case IGNORES_STOP -> CommandDrivenTraining.IGNORES_STOP;
    };
  }
}
