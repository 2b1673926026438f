package io.elastune.provisioner.aws.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.CloudEvent.Leaving;
import io.elastune.provisioner.CloudEvent.Lost;
import io.elastune.provisioner.CloudEvent.Priced;
import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Running;
import io.elastune.provisioner.CloudEvent.Terminated;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.SampleLeaseRequests;
import io.elastune.provisioner.TestCloud;
import io.elastune.provisioner.TestWait;
import io.elastune.provisioner.aws.testing.AwsTestEnvironment;
import io.elastune.provisioner.aws.testing.TestLeaseRequests;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests spot instances, which EC2 may interrupt. */
class SpotPreemptionTest {
  private static final String LEASE = TestLeaseRequests.RUN + "-1";
  private static final String OTHER = TestLeaseRequests.RUN + "-2";
  private static final String THIRD = TestLeaseRequests.RUN + "-3";

  @Order(1)
  @RegisterExtension
  private final AwsTestEnvironment world = new AwsTestEnvironment();

  @Order(2)
  @RegisterExtension
  private final TestCloud testCloud = new TestCloud(world::open);

  @Test
  void reportsInterruptionOfSpotInstance() {
    testCloud.ready(spot(LEASE));
    assertThat(world.fake().ec2().launchCall(LEASE))
        .containsEntry("InstanceMarketOptions.MarketType", "spot")
        .doesNotContainKey("InstanceMarketOptions.SpotOptions.MaxPrice") // EC2's: on demand
        .containsEntry("TagSpecification.4.ResourceType", "spot-instances-request")
        .containsEntry(
            "InstanceMarketOptions.SpotOptions.InstanceInterruptionBehavior", "terminate");

    testCloud.until(() -> testCloud.events().has(Priced.class, LEASE));
    assertThat(testCloud.events().first(Priced.class, LEASE).usdPerHour()).isEqualTo(0.4123);

    world.fake().ec2().giveInterruptionNotice(LEASE);
    testCloud.until(() -> testCloud.events().has(Leaving.class, LEASE));
    TestWait.pause(AwsTestEnvironment.FAST.idlePollInterval().multipliedBy(3));
    world.fake().ec2().interrupt(LEASE);
    testCloud.until(() -> testCloud.events().has(Terminated.class, LEASE));
    assertThat(testCloud.events().first(Lost.class, LEASE).loss()).isEqualTo(LossReason.PREEMPTED);
    assertThat(testCloud.events().types(LEASE))
        .containsExactlyInAnyOrder(
            Running.class, Priced.class, Ready.class, Leaving.class, Lost.class, Terminated.class)
        .containsSubsequence(
            Running.class, Ready.class, Leaving.class, Lost.class, Terminated.class);
  }

  @Test
  void discountAppliesToCharge() {
    testCloud.ready(SampleLeaseRequests.discounted(spot(LEASE), 0.5));
    testCloud.until(() -> testCloud.events().has(Priced.class, LEASE));
    assertThat(testCloud.events().first(Priced.class, LEASE).usdPerHour()).isEqualTo(0.4123 * 0.5);
  }

  /** The notice counts already: a replacement may be requested before the instance ends. */
  @Test
  void triesPreemptingZoneLastForAWhile() {
    testCloud.ready(spot(LEASE));
    assertThat(zone(LEASE)).isEqualTo("us-east-1a");
    world.fake().ec2().giveInterruptionNotice(LEASE);
    testCloud.until(() -> testCloud.events().has(Leaving.class, LEASE));
    testCloud.ready(spot(OTHER));
    assertThat(zone(OTHER)).isEqualTo("us-east-1b");

    world.fake().ec2().interrupt(LEASE);
    testCloud.until(() -> testCloud.events().has(Lost.class, LEASE));
    world.fake().ec2().pool("g5.xlarge", "us-east-1b", 0);
    testCloud.ready(spot(THIRD));
    assertThat(zone(THIRD)).as("tried last").isEqualTo("us-east-1a");
  }

  @Test
  void preemptionExpiresAndIgnoresOnDemand() {
    testCloud.ready(spot(LEASE));
    world.fake().ec2().interrupt(LEASE);
    testCloud.until(() -> testCloud.events().has(Terminated.class, LEASE));
    testCloud.ready(TestLeaseRequests.of(OTHER));
    assertThat(zone(OTHER)).isEqualTo("us-east-1a");

    TestWait.pause(AwsTestEnvironment.FAST.zoneCooldown());
    testCloud.ready(spot(THIRD));
    assertThat(zone(THIRD)).isEqualTo("us-east-1a");
  }

  private String zone(String lease) {
    return world.fake().ec2().launchCall(lease).getOrDefault("Placement.AvailabilityZone", "");
  }

  private static LeaseRequest spot(String lease) {
    return TestLeaseRequests.of(lease, "aws/us-east-1", "g5.xlarge", Market.SPOT);
  }
}
