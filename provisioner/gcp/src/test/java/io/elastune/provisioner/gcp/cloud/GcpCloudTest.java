package io.elastune.provisioner.gcp.cloud;

import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudContract;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.TestWait;
import io.elastune.provisioner.gcp.fake.FakeTimes;
import io.elastune.provisioner.gcp.testing.GcpTestEnvironment;
import io.elastune.provisioner.gcp.testing.ScriptedSetup;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Runs the contract suite of all providers on {@link GcpCloud}, with Google's client library
 * against the fake.
 */
class GcpCloudTest extends CloudContract {
  @RegisterExtension private final GcpTestEnvironment world = new GcpTestEnvironment();
  private final Map<String, FakeTimes> times = new ConcurrentHashMap<>();

  @Override
  protected Cloud open(Consumer<CloudEvent> consumer) {
    answerForNodes();
    return world.open(consumer);
  }

  @Override
  protected Optional<Cloud> openWithFaults(Runnable beforeTask, Consumer<CloudEvent> consumer) {
    answerForNodes();
    return Optional.of(world.openWithFaults(beforeTask::run, consumer));
  }

  private void answerForNodes() {
    world.fake().compute().times(lease -> times.getOrDefault(lease, FakeTimes.NONE));
    world.fake().compute().guestAttribute((name, script) -> ScriptedSetup.guestAttribute(script));
  }

  @Override
  protected void advance(Duration time) {
    TestWait.pause(time);
  }

  @Override
  protected String infra() {
    return "gcp/us-central1";
  }

  @Override
  protected NodeSetup setup(String output, int exit) {
    return ScriptedSetup.setup(output, exit);
  }

  @Override
  protected LeaseRequest request(
      String lease, double queueS, double bootS, Optional<NodeSetup> setup) {
    times.put(lease, FakeTimes.millis(Math.round(queueS * 1000), Math.round(bootS * 1000), 50));
    return super.request(lease, queueS, bootS, setup);
  }
}
