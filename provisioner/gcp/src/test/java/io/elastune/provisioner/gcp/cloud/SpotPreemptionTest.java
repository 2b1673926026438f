package io.elastune.provisioner.gcp.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.CloudEvent.Leaving;
import io.elastune.provisioner.CloudEvent.Lost;
import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Running;
import io.elastune.provisioner.CloudEvent.Terminated;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.TestCloud;
import io.elastune.provisioner.TestWait;
import io.elastune.provisioner.gcp.testing.GcpTestEnvironment;
import io.elastune.provisioner.gcp.testing.TestLeaseRequests;
import java.time.Duration;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests spot instances, which Google may preempt. */
class SpotPreemptionTest {
  private static final String LEASE = TestLeaseRequests.RUN + "-1";
  private static final String OTHER = TestLeaseRequests.RUN + "-2";
  private static final String THIRD = TestLeaseRequests.RUN + "-3";
  private static final String TYPE = "g2-standard-4";

  @Order(1)
  @RegisterExtension
  private final GcpTestEnvironment world = new GcpTestEnvironment();

  @Order(2)
  @RegisterExtension
  private final TestCloud testCloud = new TestCloud(world::open);

  @Test
  void reportsPreemptionNoticeAndPreemption() {
    testCloud.ready(spot(LEASE));
    assertThat(
            world.fake().compute().resource(LEASE).at("/scheduling/provisioningModel").asString())
        .isEqualTo("SPOT");
    world.fake().compute().preempt(LEASE, Duration.ofMillis(600));
    testCloud.until(() -> testCloud.events().has(Terminated.class, LEASE));

    assertThat(testCloud.events().first(Leaving.class, LEASE).message())
        .contains("within 30 seconds");
    assertThat(testCloud.events().first(Lost.class, LEASE).loss()).isEqualTo(LossReason.PREEMPTED);
    assertThat(testCloud.events().types(LEASE))
        .containsExactly(Running.class, Ready.class, Leaving.class, Lost.class, Terminated.class);
  }

  /** The executor queries a leaving instance repeatedly: no trial may start there. */
  @Test
  void leavingInstanceIsNotReadyAgain() {
    LeaseRequest request = spot(LEASE);
    testCloud.ready(request);
    world.fake().compute().preempt(LEASE, Duration.ofMillis(600));
    testCloud.until(() -> testCloud.events().has(Leaving.class, LEASE));
    testCloud.cloud().adopt(request);
    testCloud.until(() -> testCloud.events().has(Terminated.class, LEASE));

    assertThat(testCloud.events().count(Running.class, LEASE)).isEqualTo(2);
    assertThat(testCloud.events().count(Ready.class, LEASE)).isEqualTo(1);
  }

  /**
   * The notice already counts, because the replacement may be requested before the instance has
   * ended.
   */
  @Test
  void triesThePreemptingZoneLastForAWhile() {
    testCloud.ready(spot(LEASE));
    assertThat(world.fake().compute().zone(LEASE)).isEqualTo("us-central1-a");
    world.fake().compute().preempt(LEASE, Duration.ofMillis(500));
    testCloud.until(() -> testCloud.events().has(Leaving.class, LEASE));
    testCloud.ready(spot(OTHER));
    assertThat(world.fake().compute().zone(OTHER)).isEqualTo("us-central1-b");

    testCloud.until(() -> testCloud.events().has(Lost.class, LEASE));
    world.fake().compute().pool(TYPE, "us-central1-b", 0);
    testCloud.ready(spot(THIRD));
    assertThat(world.fake().compute().zone(THIRD)).as("tried last").isEqualTo("us-central1-a");
  }

  @Test
  void preemptionExpiresAndDoesNotAffectOnDemand() {
    testCloud.ready(spot(LEASE));
    world.fake().compute().preempt(LEASE, Duration.ZERO);
    testCloud.until(() -> testCloud.events().has(Terminated.class, LEASE));
    testCloud.ready(TestLeaseRequests.of(OTHER));
    assertThat(world.fake().compute().zone(OTHER)).isEqualTo("us-central1-a");

    TestWait.pause(GcpTestEnvironment.FAST.zoneCooldown());
    testCloud.ready(spot(THIRD));
    assertThat(world.fake().compute().zone(THIRD)).isEqualTo("us-central1-a");
  }

  private static LeaseRequest spot(String lease) {
    return TestLeaseRequests.of(lease, "gcp/us-central1", TYPE, Market.SPOT);
  }
}
