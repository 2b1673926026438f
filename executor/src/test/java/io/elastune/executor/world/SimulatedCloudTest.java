package io.elastune.executor.world;

import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudContract;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.NodeSetup;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The simulated world as a cloud keeps what every cloud promises. */
class SimulatedCloudTest extends CloudContract {
  private static final String WELL = "true";

  private final SimulatedWorld world =
      new SimulatedWorld(
          1,
          Faults.NONE,
          new Scripted(),
          setup -> Optional.of(setup.command()).filter(command -> !command.equals(WELL)));

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
