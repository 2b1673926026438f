package io.elastune.provisioner.gcp.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.CloudAccount;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.SampleLeaseRequests;
import io.elastune.provisioner.TestCloud;
import io.elastune.provisioner.gcp.GcpCloudProvider;
import io.elastune.provisioner.gcp.testing.GcpTestEnvironment;
import io.elastune.provisioner.gcp.testing.TestLeaseRequests;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests what remains when the controller is gone: Google deletes running instances at the end of
 * their run time, but clears the termination time of stopped ones.
 */
class MaxRunDurationTest {
  private static final String RUNNING = TestLeaseRequests.RUN + "-1";
  private static final String STOPPED = TestLeaseRequests.RUN + "-2";
  private static final Duration LONGEST = Duration.ofHours(3);

  private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);

  @Order(1)
  @RegisterExtension
  private final GcpTestEnvironment world =
      new GcpTestEnvironment(() -> Instant.now().plus(ahead.get()));

  @Order(2)
  @RegisterExtension
  private final TestCloud testCloud = new TestCloud(world::open);

  @TempDir private Path home;

  private static LeaseRequest of(String lease) {
    return SampleLeaseRequests.limited(TestLeaseRequests.of(lease), LONGEST);
  }

  @Test
  void runningInstanceIsDeletedButStoppedOneRemainsForOrphans() {
    testCloud.ready(of(RUNNING));
    testCloud.ready(of(STOPPED));
    testCloud.cloud().close();
    world.fake().compute().shutDown(STOPPED);
    ahead.set(LONGEST.minusMinutes(1));
    assertThat(world.fake().compute().existingLeases()).containsExactly(RUNNING, STOPPED);

    ahead.set(LONGEST.plusMinutes(1));
    assertThat(world.fake().compute().existingLeases()).containsExactly(STOPPED);
    assertThat(world.fake().compute().billedSeconds().get(RUNNING)).isEqualTo(LONGEST.toSeconds());

    CloudContext context =
        new CloudContext(home, home.resolve("clouds.yaml"), GcpTestEnvironment.TIME);
    try (CloudAccount account = new GcpCloudProvider().account(context).orElseThrow()) {
      account.terminate(account.instances(List.of()));
    }
    assertThat(world.fake().compute().existingLeases()).isEmpty();
  }
}
