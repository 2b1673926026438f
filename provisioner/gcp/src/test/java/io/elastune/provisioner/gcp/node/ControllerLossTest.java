package io.elastune.provisioner.gcp.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Running;
import io.elastune.provisioner.RecordedEvents;
import io.elastune.provisioner.SampleLeaseRequests;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.TestWait;
import io.elastune.provisioner.gcp.fake.FakeTimes;
import io.elastune.provisioner.gcp.testing.GcpTestEnvironment;
import io.elastune.provisioner.gcp.testing.TestLeaseRequests;
import io.elastune.provisioner.remote.PollingIntervals;
import io.elastune.provisioner.remote.PollingIntervalsBuilder;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that nothing is left after the expiry if the controller is killed while an instance boots:
 * the startup script of the insertion runs with a fake metadata server. Its service account may
 * delete instances.
 */
class ControllerLossTest {
  private static final String LEASE = TestLeaseRequests.RUN + "-1";

  @RegisterExtension private final GcpTestEnvironment world = new GcpTestEnvironment();
  @TempDir private Path root;

  @Test
  void nodeDeletesItselfAfterItsExpiry() throws Exception {
    launchAndLose();
    String expires = world.fake().compute().metadata(LEASE, Tags.EXPIRES);
    try (FakeGceNode node = new FakeGceNode(root)) {
      node.expiry(expires);
      node.account = true;
      node.name = "elastune-" + LEASE;
      node.compute = world.fake().url();
      assertThat(node.boot(world.fake().compute().metadata(LEASE, "startup-script"))).isZero();
      do {
        assertThat(world.fake().compute().existingLeases()).containsExactly(LEASE);
        node.service("dead-man");
      } while (node.calls("shutdown").isEmpty());
    }
    assertThat(GcpTestEnvironment.TIME.instant().getEpochSecond())
        .as("it has not ended earlier")
        .isGreaterThanOrEqualTo(Long.parseLong(expires));
    assertThat(world.fake().compute().existingLeases()).isEmpty();
  }

  private void launchAndLose() {
    world.fake().compute().times(lease -> FakeTimes.millis(50, 60_000, 0));
    RecordedEvents events = new RecordedEvents();
    try (Cloud cloud = world.open(GcpTestEnvironment.settings(), renewingEachSecond(), events)) {
      cloud.request(
          SampleLeaseRequests.withDeadMan(TestLeaseRequests.of(LEASE), Duration.ofSeconds(2)));
      TestWait.until(() -> events.has(Running.class, LEASE), events);
    }
    assertThat(events.has(Ready.class, LEASE)).isFalse();
  }

  private static PollingIntervals renewingEachSecond() {
    PollingIntervals fast = GcpTestEnvironment.FAST;
    return PollingIntervalsBuilder.builder(fast).renewalInterval(Duration.ofSeconds(1)).build();
  }
}
