package io.elastune.executor.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudContract;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.LifeLimit;
import io.elastune.provisioner.NodeSetup;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The simulated world as a cloud keeps what every cloud promises. */
class SimulatedCloudTest extends CloudContract {
  private static final String WELL = "true";

  private final SimulatedWorld world =
      new SimulatedWorld(
          1,
          Faults.NONE,
          new Scripted(),
          setup -> Optional.of(setup.command()).filter(command -> !command.equals(WELL)));

  @Test
  void aNodeWithoutAControllerEndsWhenItsMoneyIsUsedUpCountedFromItsStart() {
    List<CloudEvent> told = new ArrayList<>();
    Cloud cloud = open(told::add);
    LeaseRequest request = request(LEASE, 0, 0, Optional.empty());
    cloud.limitLives(new LifeLimit(Instant.MIN, Map.of(request.lease(), Duration.ofSeconds(30))));
    cloud.request(request);

    advance(Duration.ofHours(1));

    Instant running = at(told, CloudEvent.Running.class);
    assertThat(at(told, CloudEvent.Terminated.class)).isEqualTo(running.plusSeconds(30));
  }

  @Test
  void aNodeThatIsKnownToRunEndsAtItsMomentUnlessItHearsOfALaterOne() {
    List<CloudEvent> told = new ArrayList<>();
    Cloud cloud = open(told::add);
    cloud.request(request(LEASE, 0, 0, Optional.empty()));
    advance(Duration.ofMinutes(10));
    Instant now = world.time().instant();
    cloud.limitLives(new LifeLimit(now.plusSeconds(30), Map.of()));
    cloud.limitLives(new LifeLimit(now.plusSeconds(90), Map.of()));

    advance(Duration.ofHours(1));

    assertThat(at(told, CloudEvent.Terminated.class)).isEqualTo(now.plusSeconds(90));
  }

  private static Instant at(List<CloudEvent> told, Class<? extends CloudEvent> kind) {
    return told.stream().filter(kind::isInstance).findFirst().orElseThrow().at();
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
