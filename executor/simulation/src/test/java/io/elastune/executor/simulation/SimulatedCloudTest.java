package io.elastune.executor.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudContract;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.NodeExpiryLimit;
import io.elastune.provisioner.NodeSetup;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Runs the contract suite of clouds against the simulated cloud, and tests its dead-man timers. */
class SimulatedCloudTest extends CloudContract {
  private static final String WELL = "true";
  private static final int SEEDS = 200;
  private static final FaultRates.CallFaults SLOW = new FaultRates.CallFaults(0.7, 120, 0.1, 0);
  private static final FaultRates SLOW_CALLS =
      FaultRatesBuilder.builder(FaultRates.NONE).calls(SLOW).build();

  private final SimulatedEnvironment world =
      new SimulatedEnvironment(
          1,
          FaultRates.NONE,
          new CommandDrivenTraining(),
          setup -> Optional.of(setup.command()).filter(command -> !command.equals(WELL)));

  @Test
  void startLimitEndsANodeWithoutController() {
    List<CloudEvent> events = new ArrayList<>();
    Cloud cloud = open(events::add);
    LeaseRequest request = request(LEASE, 0, 0, Optional.empty());
    cloud.limitNodeExpiry(
        new NodeExpiryLimit(Instant.MIN, Map.of(request.lease(), Duration.ofSeconds(30))));
    cloud.request(request);

    advance(Duration.ofHours(1));

    Instant running = at(events, CloudEvent.Running.class);
    assertThat(at(events, CloudEvent.Terminated.class)).isEqualTo(running.plusSeconds(30));
  }

  @Test
  void laterLimitReplacesAnEarlierOne() {
    List<CloudEvent> events = new ArrayList<>();
    Cloud cloud = open(events::add);
    cloud.request(request(LEASE, 0, 0, Optional.empty()));
    advance(Duration.ofMinutes(10));
    Instant now = world.time().instant();
    cloud.limitNodeExpiry(new NodeExpiryLimit(now.plusSeconds(30), Map.of()));
    cloud.limitNodeExpiry(new NodeExpiryLimit(now.plusSeconds(90), Map.of()));

    advance(Duration.ofHours(1));

    assertThat(at(events, CloudEvent.Terminated.class)).isEqualTo(now.plusSeconds(90));
  }

  /**
   * A new instance leaves less budget for the existing ones, so they must receive their new limit
   * first.
   */
  @Test
  void instancesAreCreatedOnlyAfterNodesHaveTheLimit() {
    int created = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
      SimulatedEnvironment slow =
          new SimulatedEnvironment(seed, SLOW_CALLS, new CommandDrivenTraining());
      Cloud cloud = slow.cloud(event -> {});
      cloud.request(request(LEASE, 0, 0, Optional.empty()));
      slow.time().advance(Duration.ofHours(5));
      double alone = slow.groundTruth().peakUsdPerHour();
      LeaseRequest other = request(RUN + "-2", 0, 0, Optional.empty());
      Instant limitAt = slow.time().instant().plusSeconds(100);
      cloud.limitNodeExpiry(
          new NodeExpiryLimit(limitAt, Map.of(other.lease(), Duration.ofSeconds(100))));
      cloud.request(other);
      slow.time().advance(Duration.ofSeconds(50));
      cloud.close(); // no controller is left

      slow.time().advance(Duration.ofHours(5));

      if (slow.groundTruth().peakUsdPerHour() > alone) {
        created++;
        assertThat(slow.groundTruth().aliveCount())
            .as("instances left with seed %d", seed)
            .isZero();
      }
    }
    assertThat(created).isBetween(SEEDS / 20, SEEDS / 2);
  }

  private static Instant at(List<CloudEvent> events, Class<? extends CloudEvent> kind) {
    return events.stream().filter(kind::isInstance).findFirst().orElseThrow().at();
  }

  @Override
  protected Cloud open(Consumer<CloudEvent> consumer) {
    return world.cloud(consumer);
  }

  @Override
  protected void advance(Duration time) {
    world.time().advance(time);
  }

  @Override
  protected String infra() {
    return "simulated";
  }

  @Override
  protected NodeSetup setup(String output, int exit) {
    String command = exit == 0 ? WELL : "exit " + exit + ": " + output;
    return new NodeSetup(command, ".", Map.of(), "setup.log");
  }
}
