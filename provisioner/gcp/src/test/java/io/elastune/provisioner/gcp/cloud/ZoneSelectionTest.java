package io.elastune.provisioner.gcp.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Refused;
import io.elastune.provisioner.CloudEvent.Running;
import io.elastune.provisioner.RefusalReason;
import io.elastune.provisioner.TestCloud;
import io.elastune.provisioner.TestWait;
import io.elastune.provisioner.gcp.fake.FakeTimes;
import io.elastune.provisioner.gcp.model.RegionSettingsBuilder;
import io.elastune.provisioner.gcp.testing.GcpTestEnvironment;
import io.elastune.provisioner.gcp.testing.TestLeaseRequests;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the choice of zones with Google's client library against the fake. */
class ZoneSelectionTest {
  private static final String LEASE = TestLeaseRequests.RUN + "-1";
  private static final String OTHER = TestLeaseRequests.RUN + "-2";
  private static final String TYPE = "g2-standard-4";
  private static final String INSERT = "compute.instances.insert";
  private static final String LIST = "compute.instances.aggregatedList";

  @Order(1)
  @RegisterExtension
  private final GcpTestEnvironment world = new GcpTestEnvironment();

  @Order(2)
  @RegisterExtension
  private final TestCloud testCloud = new TestCloud(world::open);

  @Test
  void skipsZoneWithoutCapacityForAWhile() {
    world.fake().compute().pool(TYPE, "us-central1-a", 0);
    testCloud.ready(TestLeaseRequests.of(LEASE));
    assertThat(world.fake().compute().zone(LEASE)).isEqualTo("us-central1-b");
    assertThat(world.fake().calls(INSERT)).isEqualTo(2);

    testCloud.ready(TestLeaseRequests.of(OTHER));
    assertThat(world.fake().calls(INSERT)).isEqualTo(3);

    world.fake().compute().pool(TYPE, "us-central1-a", 5);
    TestWait.pause(GcpTestEnvironment.FAST.zoneCooldown());
    testCloud.ready(TestLeaseRequests.of(TestLeaseRequests.RUN + "-3"));
    assertThat(world.fake().compute().zone(TestLeaseRequests.RUN + "-3"))
        .isEqualTo("us-central1-a");
  }

  @Test
  void refusalNamesAllZonesTried() {
    world.fake().compute().pool(TYPE, "us-central1-a", 0);
    world.fake().compute().pool(TYPE, "us-central1-b", 0);
    Refused refused = testCloud.refused(TestLeaseRequests.of(LEASE));

    assertThat(refused.refusal()).isEqualTo(RefusalReason.CAPACITY);
    assertThat(refused.message())
        .contains(
            "g2-standard-4 (on-demand) is unavailable in all zones of gcp/us-central1",
            "tried us-central1-a, us-central1-b within",
            "ZONE_RESOURCE_POOL_EXHAUSTED",
            "try another instance type, region or market");
    assertThat(world.fake().calls(INSERT)).isEqualTo(2);

    assertThat(testCloud.refused(TestLeaseRequests.of(OTHER)).message())
        .contains("all its zones reported this less than");
    assertThat(world.fake().calls(INSERT)).as("refusals are remembered").isEqualTo(2);
    assertThat(world.fake().compute().existingLeases()).isEmpty();
  }

  /** Google says so of a spot instance that is preempted while it is created. */
  @Test
  void triesNextZoneAfterPreemptionDuringCreation() {
    String message = "Instance failed to start due to preemption.";
    world.fake().compute().failOperations(TYPE, "us-central1-a", "UNSUPPORTED_OPERATION", message);
    testCloud.ready(TestLeaseRequests.of(LEASE));
    assertThat(world.fake().compute().zone(LEASE)).isEqualTo("us-central1-b");
  }

  @Test
  void triesNextZoneAfterUnknownCode() {
    world.fake().compute().reject(TYPE, "us-central1-a", 400, "zoneIsMovingHouse", "not today");
    testCloud.ready(TestLeaseRequests.of(LEASE));
    assertThat(world.fake().compute().zone(LEASE)).isEqualTo("us-central1-b");

    world.fake().compute().failOperations(TYPE, "us-central1-b", "ZONE_IS_GONE", "nor there");
    Refused refused = testCloud.refused(TestLeaseRequests.of(OTHER));
    assertThat(refused.refusal()).isEqualTo(RefusalReason.CAPACITY);
    assertThat(refused.message()).contains("nor there [ZONE_IS_GONE]");
  }

  @Test
  void errorOfTheRequestItselfIsFinal() {
    world.fake().compute().reject(TYPE, "us-central1-a", 400, "invalid", "no such field");
    Refused refused = testCloud.refused(TestLeaseRequests.of(LEASE));
    assertThat(refused.refusal()).isEqualTo(RefusalReason.INVALID);
    assertThat(world.fake().calls(INSERT)).isEqualTo(1);
  }

  @Test
  void leavesZoneThatFailsForLong() {
    world.fake().compute().reject(TYPE, "us-central1-a", 503, "backendError", "the zone fails");
    testCloud.ready(TestLeaseRequests.of(LEASE));
    assertThat(world.fake().compute().zone(LEASE)).isEqualTo("us-central1-b");
    assertThat(world.fake().compute().existingLeases()).containsExactly(LEASE);
  }

  @Test
  void triesNextZoneForTypeThatAZoneLacks() {
    testCloud.reopen(
        events ->
            world.open(
                RegionSettingsBuilder.builder(GcpTestEnvironment.settings())
                    .zones(List.of("us-central1-b", "us-central1-a"))
                    .diskType(Optional.empty())
                    .build(),
                events));
    testCloud.ready(
        TestLeaseRequests.of(LEASE, "gcp/us-central1", "a2-highgpu-1g", Market.ON_DEMAND));
    assertThat(world.fake().compute().zone(LEASE)).isEqualTo("us-central1-a");
  }

  @Test
  void triesAllZonesOfTheRegionByDefault() {
    testCloud.reopen(
        events ->
            world.open(
                RegionSettingsBuilder.builder(GcpTestEnvironment.settings())
                    .zones(List.of())
                    .diskType(Optional.empty())
                    .build(),
                events));
    world.fake().compute().pool(TYPE, "us-central1-a", 0);
    world.fake().compute().pool(TYPE, "us-central1-b", 0);
    testCloud.ready(TestLeaseRequests.of(LEASE));
    assertThat(world.fake().compute().zone(LEASE)).isEqualTo("us-central1-c");
  }

  @Test
  void offerWithZoneUsesOnlyThatZone() {
    world.fake().compute().pool(TYPE, "us-central1-b", 0);
    Refused refused =
        testCloud.refused(
            TestLeaseRequests.of(LEASE, "gcp/us-central1/us-central1-b", TYPE, Market.ON_DEMAND));
    assertThat(refused.refusal()).isEqualTo(RefusalReason.CAPACITY);
    assertThat(world.fake().calls(INSERT)).isEqualTo(1);
  }

  /** Google lists instances during creation, even if the creation then fails. */
  @Test
  void failedCreationDoesNotHideTheNextZone() {
    world.fake().compute().pool(TYPE, "us-central1-a", 0);
    world.fake().compute().times(lease -> FakeTimes.millis(300, 0, 0));
    testCloud.ready(TestLeaseRequests.of(LEASE));

    assertThat(testCloud.events().types(LEASE)).containsExactly(Running.class, Ready.class);
    assertThat(world.fake().compute().zone(LEASE)).isEqualTo("us-central1-b");
    assertThat(world.fake().calls(LIST)).as("it was listed").isGreaterThan(5);
    assertThat(world.fake().calls("compute.instances.delete")).isZero();
  }
}
