package io.elastune.provisioner.aws.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Refused;
import io.elastune.provisioner.CloudEvent.Terminated;
import io.elastune.provisioner.SampleLeaseRequests;
import io.elastune.provisioner.TestCloud;
import io.elastune.provisioner.aws.testing.AwsTestEnvironment;
import io.elastune.provisioner.aws.testing.TestLeaseRequests;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests placement groups of instances whose trials span several instances. */
class PlacementGroupsTest {
  private static final String LEASE = TestLeaseRequests.RUN + "-1";

  @Order(1)
  @RegisterExtension
  private final AwsTestEnvironment world = new AwsTestEnvironment();

  @Order(2)
  @RegisterExtension
  private final TestCloud testCloud = new TestCloud(world::open);

  @Test
  void teamUsesGroupAndGroupIsRemoved() {
    String other = TestLeaseRequests.RUN + "-2";
    testCloud.cloud().request(SampleLeaseRequests.near(TestLeaseRequests.of(LEASE)));
    testCloud.ready(SampleLeaseRequests.near(TestLeaseRequests.of(other)));
    testCloud.until(() -> testCloud.events().has(Ready.class, LEASE));
    String group = "elastune-" + TestLeaseRequests.RUN + "-us-east-1a";
    assertThat(world.fake().ec2().launchCall(LEASE)).containsEntry("Placement.GroupName", group);
    assertThat(world.fake().ec2().launchCall(other)).containsEntry("Placement.GroupName", group);
    assertThat(world.fake().ec2().groups().names()).containsExactly(group);
    assertThat(world.fake().calls("CreatePlacementGroup")).isEqualTo(1);

    testCloud.cloud().release(LEASE);
    testCloud.cloud().release(other);
    testCloud.until(
        () ->
            testCloud.events().has(Terminated.class, LEASE)
                && testCloud.events().has(Terminated.class, other));
    testCloud.cloud().list(TestLeaseRequests.RUN);
    testCloud.until(() -> world.fake().ec2().groups().names().isEmpty());
  }

  /** EC2 is eventually consistent: it may refuse a group that it has just created. */
  @Test
  void waitsUntilNewGroupIsVisible() {
    world.fake().ec2().groups().hide(2);
    testCloud.ready(SampleLeaseRequests.near(TestLeaseRequests.of(LEASE)));
    assertThat(world.fake().ec2().launchCall(LEASE)).containsKey("Placement.GroupName");
    assertThat(testCloud.events().has(Refused.class, LEASE)).isFalse();
    assertThat(world.fake().ec2().groups().names()).hasSize(1);
  }

  @Test
  void reusesGroupOfEarlierController() {
    testCloud.ready(SampleLeaseRequests.near(TestLeaseRequests.of(LEASE)));
    testCloud.reopen();
    testCloud.ready(SampleLeaseRequests.near(TestLeaseRequests.of(TestLeaseRequests.RUN + "-2")));
    assertThat(world.fake().ec2().groups().names()).hasSize(1);
  }

  @Test
  void createsNoGroupWithoutTeam() {
    testCloud.ready(TestLeaseRequests.of(LEASE));
    assertThat(world.fake().ec2().launchCall(LEASE)).doesNotContainKey("Placement.GroupName");
    assertThat(world.fake().calls("CreatePlacementGroup")).isZero();
  }
}
