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
import io.elastune.provisioner.gcp.testing.GcpWorld;
import io.elastune.provisioner.gcp.testing.Requests;
import java.time.Duration;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests spot instances, which Google may preempt. */
class SpotTest {
  private static final String LEASE = Requests.RUN + "-1";
  private static final String OTHER = Requests.RUN + "-2";
  private static final String THIRD = Requests.RUN + "-3";
  private static final String TYPE = "g2-standard-4";

  @Order(1)
  @RegisterExtension
  private final GcpWorld world = new GcpWorld();

  @Order(2)
  @RegisterExtension
  private final TestCloud door = new TestCloud(world::open);

  @Test
  void reportsPreemptionNoticeAndPreemption() {
    door.ready(spot(LEASE));
    assertThat(world.fake().compute().order(LEASE).at("/scheduling/provisioningModel").asString())
        .isEqualTo("SPOT");
    world.fake().compute().preempt(LEASE, Duration.ofMillis(600));
    door.until(() -> door.events().has(Terminated.class, LEASE));

    assertThat(door.events().first(Leaving.class, LEASE).message()).contains("within 30 seconds");
    assertThat(door.events().first(Lost.class, LEASE).loss()).isEqualTo(LossReason.PREEMPTED);
    assertThat(door.events().types(LEASE))
        .containsExactly(Running.class, Ready.class, Leaving.class, Lost.class, Terminated.class);
  }

  /**
   * The notice already counts, because the replacement may be requested before the instance has
   * ended.
   */
  @Test
  void triesThePreemptingZoneLastForAWhile() {
    door.ready(spot(LEASE));
    assertThat(world.fake().compute().zone(LEASE)).isEqualTo("us-central1-a");
    world.fake().compute().preempt(LEASE, Duration.ofMillis(500));
    door.until(() -> door.events().has(Leaving.class, LEASE));
    door.ready(spot(OTHER));
    assertThat(world.fake().compute().zone(OTHER)).isEqualTo("us-central1-b");

    door.until(() -> door.events().has(Lost.class, LEASE));
    world.fake().compute().pool(TYPE, "us-central1-b", 0);
    door.ready(spot(THIRD));
    assertThat(world.fake().compute().zone(THIRD)).as("tried last").isEqualTo("us-central1-a");
  }

  @Test
  void preemptionExpiresAndDoesNotAffectOnDemand() {
    door.ready(spot(LEASE));
    world.fake().compute().preempt(LEASE, Duration.ZERO);
    door.until(() -> door.events().has(Terminated.class, LEASE));
    door.ready(Requests.of(OTHER));
    assertThat(world.fake().compute().zone(OTHER)).isEqualTo("us-central1-a");

    TestWait.pause(GcpWorld.HURRY.remember());
    door.ready(spot(THIRD));
    assertThat(world.fake().compute().zone(THIRD)).isEqualTo("us-central1-a");
  }

  private static LeaseRequest spot(String lease) {
    return Requests.of(lease, "gcp/us-central1", TYPE, Market.SPOT);
  }
}
