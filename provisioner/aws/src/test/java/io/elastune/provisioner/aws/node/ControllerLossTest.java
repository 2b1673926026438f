package io.elastune.provisioner.aws.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Running;
import io.elastune.provisioner.RecordedEvents;
import io.elastune.provisioner.SampleLeaseRequests;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.TestWait;
import io.elastune.provisioner.aws.fake.FakeTimes;
import io.elastune.provisioner.aws.testing.AwsTestEnvironment;
import io.elastune.provisioner.aws.testing.TestLeaseRequests;
import io.elastune.provisioner.remote.PollingIntervals;
import io.elastune.provisioner.remote.PollingIntervalsBuilder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that nothing is left after the expiry if the controller is killed while an instance boots:
 * the user data of the launch runs with a fake metadata service.
 */
class ControllerLossTest {
  private static final String LEASE = TestLeaseRequests.RUN + "-1";

  @RegisterExtension private final AwsTestEnvironment world = new AwsTestEnvironment();
  @TempDir private Path root;

  @Test
  void nodeTerminatesAfterItsExpiry() throws Exception {
    String userData = launchAndLose();
    String expires = world.fake().ec2().tags(LEASE).get(Tags.EXPIRES);
    try (FakeEc2Node node = new FakeEc2Node(root)) {
      node.expiry(expires);
      assertThat(node.boot(userData)).isZero();
      do {
        node.service("dead-man");
      } while (node.calls("shutdown").isEmpty());
      assertThat(AwsTestEnvironment.TIME.instant().getEpochSecond())
          .as("it has not shut down earlier")
          .isGreaterThanOrEqualTo(Long.parseLong(expires));
    }
    assertThat(world.fake().ec2().runningLeases()).containsExactly(LEASE);
    world.fake().ec2().shutDown(LEASE);
    assertThat(world.fake().ec2().runningLeases()).isEmpty();
  }

  /** Launches an instance that expires after seconds; returns its user data. */
  private String launchAndLose() {
    world.fake().ec2().times(lease -> FakeTimes.millis(50, 60_000, 0));
    RecordedEvents events = new RecordedEvents();
    try (Cloud cloud = world.open(renewingEachSecond(), events)) {
      cloud.request(
          SampleLeaseRequests.withDeadMan(TestLeaseRequests.of(LEASE), Duration.ofSeconds(2)));
      TestWait.until(() -> events.has(Running.class, LEASE), events);
    }
    assertThat(events.has(Ready.class, LEASE)).isFalse();
    String encoded = world.fake().ec2().launchCall(LEASE).get("UserData");
    return new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
  }

  private static PollingIntervals renewingEachSecond() {
    PollingIntervals fast = AwsTestEnvironment.FAST;
    return PollingIntervalsBuilder.builder(fast).renewalInterval(Duration.ofSeconds(1)).build();
  }
}
