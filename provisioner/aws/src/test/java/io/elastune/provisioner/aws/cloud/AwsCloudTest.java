package io.elastune.provisioner.aws.cloud;

import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudContract;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.TestWait;
import io.elastune.provisioner.aws.fake.FakeTimes;
import io.elastune.provisioner.aws.testing.AwsTestEnvironment;
import io.elastune.provisioner.aws.testing.ScriptedSetup;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs the contract suite on the AWS provider with the real SDK against the fake EC2. */
class AwsCloudTest extends CloudContract {
  @RegisterExtension private final AwsTestEnvironment world = new AwsTestEnvironment();
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
    world.fake().ec2().times(lease -> times.getOrDefault(lease, FakeTimes.NONE));
    world.fake().ec2().console((id, userData) -> ScriptedSetup.consoleText(userData));
  }

  @Override
  protected void advance(Duration time) {
    TestWait.pause(time);
  }

  @Override
  protected String infra() {
    return "aws/us-east-1";
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
