package io.elastune.provisioner.aws.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.CloudEvent.LaunchFailed;
import io.elastune.provisioner.CloudEvent.Priced;
import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Refused;
import io.elastune.provisioner.CloudEvent.Running;
import io.elastune.provisioner.CloudEvent.Terminated;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.RefusalReason;
import io.elastune.provisioner.SampleLeaseRequests;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.TestCloud;
import io.elastune.provisioner.TestWait;
import io.elastune.provisioner.aws.fake.Fault;
import io.elastune.provisioner.aws.testing.AwsTestEnvironment;
import io.elastune.provisioner.aws.testing.TestLeaseRequests;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests launches with the real SDK against the fake EC2. */
class InstanceLaunchTest {
  private static final String LEASE = TestLeaseRequests.RUN + "-1";

  @Order(1)
  @RegisterExtension
  private final AwsTestEnvironment world = new AwsTestEnvironment();

  @Order(2)
  @RegisterExtension
  private final TestCloud testCloud = new TestCloud(world::open);

  @Test
  void launchCallSetsTagsAndSecurity() {
    testCloud.ready(TestLeaseRequests.of(LEASE));
    Map<String, String> order = world.fake().ec2().launchCall(LEASE);

    assertThat(world.fake().ec2().tags(LEASE))
        .containsEntry(Tags.RUN, TestLeaseRequests.RUN)
        .containsEntry(Tags.OWNER, "tester")
        .containsEntry(Tags.LEASE, LEASE)
        .containsKeys(Tags.EXPIRES, "Name");
    assertThat(order)
        .containsEntry("TagSpecification.2.ResourceType", "volume")
        .containsEntry("TagSpecification.3.ResourceType", "network-interface")
        .containsEntry("NetworkInterface.1.AssociatePublicIpAddress", "false")
        .containsEntry("DisableApiTermination", "false")
        .containsEntry("InstanceInitiatedShutdownBehavior", "terminate")
        .containsEntry("MetadataOptions.HttpTokens", "required")
        .containsEntry("MetadataOptions.InstanceMetadataTags", "enabled")
        .containsEntry("ImageId", "ami-01")
        .containsEntry("NetworkInterface.1.SubnetId", "subnet-0a")
        .containsEntry("NetworkInterface.1.SecurityGroupId.1", "sg-01")
        .containsEntry("IamInstanceProfile.Name", "elastune-node")
        .containsEntry("MaxCount", "1")
        .containsEntry("MinCount", "1");
    assertThat(world.fake().calls("CreateTags")).isZero();
  }

  @Test
  void skipsZoneWithoutCapacityForAWhile() {
    world.fake().ec2().pool("g5.xlarge", "us-east-1a", 0);
    testCloud.ready(TestLeaseRequests.of(LEASE));
    assertThat(world.fake().ec2().launchCall(LEASE))
        .containsEntry("Placement.AvailabilityZone", "us-east-1b")
        .containsEntry("NetworkInterface.1.SubnetId", "subnet-0b");
    assertThat(world.fake().calls("RunInstances")).isEqualTo(2);

    testCloud.ready(TestLeaseRequests.of(TestLeaseRequests.RUN + "-2"));
    assertThat(world.fake().calls("RunInstances")).isEqualTo(3);
  }

  @Test
  void retriesZoneAfterMemoryExpires() {
    world.fake().ec2().pool("g5.xlarge", "us-east-1a", 0);
    testCloud.ready(TestLeaseRequests.of(LEASE));
    world.fake().ec2().pool("g5.xlarge", "us-east-1a", 5);
    TestWait.pause(AwsTestEnvironment.FAST.zoneCooldown());
    testCloud.ready(TestLeaseRequests.of(TestLeaseRequests.RUN + "-2"));
    assertThat(world.fake().ec2().launchCall(TestLeaseRequests.RUN + "-2"))
        .containsEntry("Placement.AvailabilityZone", "us-east-1a");
  }

  @Test
  void refusesWithEc2MessageWithoutCapacity() {
    world.fake().ec2().pool("g5.xlarge", "us-east-1a", 0);
    world.fake().ec2().pool("g5.xlarge", "us-east-1b", 0);
    Refused refused = testCloud.refused(TestLeaseRequests.of(LEASE));

    assertThat(refused.refusal()).isEqualTo(RefusalReason.CAPACITY);
    assertThat(refused.message())
        .contains(
            "g5.xlarge",
            "is unavailable in all zones of aws/us-east-1",
            "InsufficientInstanceCapacity");
    assertThat(world.fake().ec2().launchedLeases()).isEmpty();
  }

  @Test
  void tagsAllResourcesAndOverridesNetworkOfTemplate() {
    world.fake().ec2().rules().requireTagsOn(List.of("instance", "volume", "network-interface"));
    world.fake().ec2().rules().addTemplateWithNetwork("");
    testCloud.ready(TestLeaseRequests.of(LEASE));
  }

  /** A code that Elastune does not know may concern the zone only. */
  @Test
  void triesNextZoneAfterUnknownCode() {
    refuse("us-east-1a", 1, 400, "ZoneIsMovingHouse", "not today");
    testCloud.ready(TestLeaseRequests.of(LEASE));

    assertThat(world.fake().ec2().launchCall(LEASE))
        .containsEntry("Placement.AvailabilityZone", "us-east-1b");
    assertThat(world.fake().calls("RunInstances")).isEqualTo(2);
    LaunchFailed failed = testCloud.events().first(LaunchFailed.class, LEASE);
    assertThat(failed.zone()).contains("us-east-1a");
    assertThat(failed.message()).contains("not today [ZoneIsMovingHouse]");
  }

  @Test
  void refusalNamesUnknownCodeOfAllZones() {
    refuse("us-east-1a", 9, 400, "ZoneIsMovingHouse", "not today");
    refuse("us-east-1b", 9, 400, "ZoneIsMovingHouse", "nor there");
    Refused refused = testCloud.refused(TestLeaseRequests.of(LEASE));

    assertThat(refused.refusal()).isEqualTo(RefusalReason.CAPACITY);
    assertThat(refused.message())
        .contains("us-east-1a, us-east-1b", "nor there [ZoneIsMovingHouse]");
    assertThat(world.fake().calls("RunInstances")).isEqualTo(2);
  }

  @Test
  void errorOfTheRequestItselfIsFinal() {
    refuse("us-east-1a", 9, 400, "InvalidParameterCombination", "not together");
    Refused refused = testCloud.refused(TestLeaseRequests.of(LEASE));

    assertThat(refused.refusal()).isEqualTo(RefusalReason.INVALID);
    assertThat(world.fake().calls("RunInstances")).isEqualTo(1);
  }

  /** EC2 sees a role some seconds after it was made. */
  @Test
  void waitsForInstanceProfile() {
    String message = "Value (elastune-node) for parameter iamInstanceProfile.name is invalid.";
    refuse("us-east-1a", 3, 400, "InvalidParameterValue", message);
    testCloud.ready(TestLeaseRequests.of(LEASE));

    assertThat(world.fake().ec2().launchCall(LEASE))
        .containsEntry("Placement.AvailabilityZone", "us-east-1a");
    assertThat(world.fake().calls("RunInstances")).isEqualTo(4);
  }

  @Test
  void instanceProfileThatNeverAppearsIsRefused() {
    String message = "Value (elastune-node) for parameter iamInstanceProfile.name is invalid.";
    refuse("us-east-1a", Integer.MAX_VALUE, 400, "InvalidParameterValue", message);
    Refused refused = testCloud.refused(TestLeaseRequests.of(LEASE));

    assertThat(refused.refusal()).isEqualTo(RefusalReason.INVALID);
    assertThat(refused.message()).contains("iamInstanceProfile");
  }

  /** A zone that fails answers every call with an error, which may hide that it took effect. */
  @Test
  void leavesZoneThatFailsForLong() {
    refuse("us-east-1a", Integer.MAX_VALUE, 500, "InternalError", "the zone fails");
    testCloud.ready(TestLeaseRequests.of(LEASE));

    assertThat(world.fake().ec2().launchCall(LEASE))
        .containsEntry("Placement.AvailabilityZone", "us-east-1b");
    assertThat(world.fake().ec2().launchedLeases()).containsExactly(LEASE);
    assertThat(testCloud.events().all(LaunchFailed.class, LEASE))
        .singleElement()
        .extracting(LaunchFailed::message)
        .asString()
        .contains("the zone fails [InternalError]", "no instance was found within");
  }

  /** The instance of the zone that failed appears after another one was launched elsewhere. */
  @Test
  void lateInstanceOfTheZoneThatFailedIsTerminated() {
    refuse("us-east-1a", Integer.MAX_VALUE, 500, "InternalError", "the zone fails");
    testCloud.ready(TestLeaseRequests.of(LEASE));
    String late =
        world
            .fake()
            .ec2()
            .add("g5.xlarge", Map.of(Tags.RUN, TestLeaseRequests.RUN, Tags.LEASE, LEASE));

    testCloud.until(() -> !world.fake().ec2().stateOf(late).equals("running"));
    assertThat(world.fake().ec2().runningLeases()).containsExactly(LEASE);
    assertThat(testCloud.events().has(Terminated.class, LEASE)).isFalse();
  }

  private void refuse(String zone, int launches, int status, String code, String message) {
    world.fake().ec2().refuse("g5.xlarge", zone, launches, status, code, message);
  }

  /** EC2 accepts a launch and reports only later that there was no capacity. */
  @Test
  void triesNextZoneIfCapacityIsMissingAfterLaunch() {
    failLaunches("us-east-1a", "Server.InsufficientInstanceCapacity", "no capacity");
    testCloud.ready(TestLeaseRequests.of(LEASE));
    assertThat(world.fake().ec2().launchedLeases()).containsExactly(LEASE, LEASE);
    assertThat(world.fake().ec2().launchCall(LEASE))
        .containsEntry("Placement.AvailabilityZone", "us-east-1b");
    assertThat(testCloud.events().types(LEASE))
        .filteredOn(kind -> !kind.equals(Priced.class)) // which comes at any time
        .containsExactly(Running.class, Ready.class);

    testCloud.cloud().release(LEASE);
    testCloud.until(() -> testCloud.events().has(Terminated.class, LEASE));
    assertThat(world.fake().ec2().runningLeases()).isEmpty();
  }

  @Test
  void refusesIfNoZoneHasCapacityAfterLaunch() {
    failLaunches("us-east-1a", "Server.InsufficientInstanceCapacity", "no capacity");
    failLaunches("us-east-1b", "Server.InternalError", "it failed");
    Refused refused = testCloud.refused(TestLeaseRequests.of(LEASE));
    assertThat(refused.refusal()).isEqualTo(RefusalReason.CAPACITY);
    assertThat(refused.message()).contains("us-east-1a, us-east-1b", "it failed");
    assertThat(testCloud.events().types(LEASE)).containsExactly(LaunchFailed.class, Refused.class);
  }

  @Test
  void refusalNamesFaultOfAccountAfterLaunch() {
    failLaunches("us-east-1a", "Client.InternalError", "Client error on launch");
    Refused refused = testCloud.refused(TestLeaseRequests.of(LEASE));
    assertThat(refused.refusal()).isEqualTo(RefusalReason.INVALID);
    assertThat(refused.message()).contains("Client error on launch", "key of its disks");
  }

  private void failLaunches(String zone, String code, String message) {
    world.fake().ec2().failAfterLaunch("g5.xlarge", zone, code, message);
  }

  @Test
  void zoneOfferLaunchesInThatZoneOnly() {
    world.fake().ec2().pool("g5.xlarge", "us-east-1b", 0);
    Refused refused =
        testCloud.refused(
            TestLeaseRequests.of(LEASE, "aws/us-east-1/us-east-1b", "g5.xlarge", Market.ON_DEMAND));

    assertThat(refused.refusal()).isEqualTo(RefusalReason.CAPACITY);
    assertThat(world.fake().calls("RunInstances")).isEqualTo(1);
  }

  @Test
  void refusalNamesQuota() {
    world.fake().ec2().quota(0);
    Refused refused = testCloud.refused(TestLeaseRequests.of(LEASE));

    assertThat(refused.refusal()).isEqualTo(RefusalReason.QUOTA);
    assertThat(refused.message()).contains("Running On-Demand G and VT instances", "L-DB2E81BA");
  }

  @Test
  void refusalNamesPermission() {
    world.fake().deny(Set.of("ec2:RunInstances"));
    Refused refused = testCloud.refused(TestLeaseRequests.of(LEASE));

    assertThat(refused.refusal()).isEqualTo(RefusalReason.PERMISSION);
    assertThat(refused.message()).contains("may not ec2:RunInstances");
  }

  @Test
  void refusesRegionWithoutSettings() {
    Refused refused =
        testCloud.refused(
            TestLeaseRequests.of(LEASE, "aws/eu-west-1", "g5.xlarge", Market.ON_DEMAND));
    assertThat(refused.refusal()).isEqualTo(RefusalReason.INVALID);
    assertThat(refused.message()).contains("clouds.yaml has no region eu-west-1");
  }

  @Test
  void userDataContainsNoSecret() {
    LeaseRequest plain = TestLeaseRequests.of(LEASE);
    NodeSetup setup = new NodeSetup("true", "/work", Map.of("TOKEN", "s3cret"), "");
    Refused refused = testCloud.refused(SampleLeaseRequests.withSetup(plain, setup));
    assertThat(refused.refusal()).isEqualTo(RefusalReason.INVALID);
    assertThat(refused.message()).contains("user data").doesNotContain("s3cret");
  }

  /** A replacement is requested as soon as the old instance is released. */
  @Test
  void waitsForQuotaOfEndingInstance() {
    AtomicBoolean first = new AtomicBoolean(true);
    String other = TestLeaseRequests.RUN + "-7";
    world.fake().ec2().quota(1);
    testCloud.ready(TestLeaseRequests.of(LEASE));
    world
        .fake()
        .faults(
            call ->
                call.equals("TerminateInstances") && first.getAndSet(false)
                    ? Fault.LOST_BEFORE
                    : Fault.NONE);
    testCloud.cloud().release(LEASE);
    testCloud.ready(TestLeaseRequests.of(other));
    testCloud.until(() -> testCloud.events().has(Terminated.class, LEASE));
    assertThat(testCloud.events().has(Refused.class, other)).isFalse();
  }

  @Test
  void findsLaunchWithLostResponse() {
    AtomicInteger launches = new AtomicInteger();
    world
        .fake()
        .faults(
            action ->
                action.equals("RunInstances") && launches.incrementAndGet() == 1
                    ? Fault.LOST_AFTER
                    : Fault.NONE);
    testCloud.ready(TestLeaseRequests.of(LEASE));
    assertThat(world.fake().ec2().launchedLeases()).containsExactly(LEASE);
  }

  @Test
  void manyLeasesStayWithinApiLimits() {
    int many = 200;
    world.fake().throttle("RunInstances", 5, 200);
    world.fake().throttle("TerminateInstances", 5, 5);
    world.fake().throttle("DescribeInstances", 100, 20);
    List<String> leases =
        IntStream.range(0, many).mapToObj(i -> TestLeaseRequests.RUN + "-" + i).toList();
    leases.forEach(lease -> testCloud.cloud().request(TestLeaseRequests.of(lease)));
    testCloud.until(
        () -> leases.stream().allMatch(lease -> testCloud.events().has(Ready.class, lease)));
    assertThat(world.fake().ec2().peakInstances()).isEqualTo(many);
    leases.forEach(testCloud.cloud()::release);
    testCloud.until(
        () -> leases.stream().allMatch(lease -> testCloud.events().has(Terminated.class, lease)));

    assertThat(world.fake().ec2().runningLeases()).isEmpty();
    assertThat(world.fake().ec2().launchedLeases()).doesNotHaveDuplicates().hasSize(many);
    assertThat(world.fake().calls("RunInstances")).isLessThan(many * 5 / 4);
    assertThat(world.fake().calls("TerminateInstances")).isLessThan(many / 4);
    assertThat(world.fake().ec2().pagesServed()).isPositive();
  }
}
