package io.elastune.provisioner.gcp.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Terminated;
import io.elastune.provisioner.SampleLeaseRequests;
import io.elastune.provisioner.TestCloud;
import io.elastune.provisioner.gcp.testing.GcpTestEnvironment;
import io.elastune.provisioner.gcp.testing.TestLeaseRequests;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests placement policies of instances for trials that span several instances. */
class PlacementPoliciesTest {
  private static final String LEASE = TestLeaseRequests.RUN + "-1";
  private static final String OTHER = TestLeaseRequests.RUN + "-2";
  private static final String TYPE = "g2-standard-4";
  private static final String INSERT = "compute.resourcePolicies.insert";
  private static final String POLICY = "elastune-" + TestLeaseRequests.RUN + "-us-central1-a";

  @Order(1)
  @RegisterExtension
  private final GcpTestEnvironment world = new GcpTestEnvironment();

  @Order(2)
  @RegisterExtension
  private final TestCloud testCloud = new TestCloud(world::open);

  @Test
  void teamSharesAPolicyThatIsDeletedAfterIt() {
    testCloud.cloud().request(SampleLeaseRequests.near(TestLeaseRequests.of(OTHER)));
    testCloud.ready(SampleLeaseRequests.near(TestLeaseRequests.of(LEASE)));
    testCloud.until(() -> testCloud.events().has(Ready.class, OTHER));
    assertThat(policyOf(LEASE))
        .isEqualTo("projects/my-project/regions/us-central1/resourcePolicies/" + POLICY);
    assertThat(policyOf(OTHER)).isEqualTo(policyOf(LEASE));
    assertThat(world.fake().compute().policies().names()).containsExactly(POLICY);
    assertThat(world.fake().calls(INSERT)).isEqualTo(1);

    testCloud.cloud().release(LEASE);
    testCloud.cloud().release(OTHER);
    testCloud.until(
        () ->
            testCloud.events().has(Terminated.class, LEASE)
                && testCloud.events().has(Terminated.class, OTHER));
    testCloud.cloud().list(TestLeaseRequests.RUN);
    testCloud.until(() -> world.fake().compute().policies().names().isEmpty());
  }

  @Test
  void reusesThePolicyOfAnEarlierController() {
    testCloud.ready(SampleLeaseRequests.near(TestLeaseRequests.of(LEASE)));
    testCloud.reopen();
    testCloud.ready(SampleLeaseRequests.near(TestLeaseRequests.of(OTHER)));
    assertThat(world.fake().calls(INSERT)).isEqualTo(2);
    assertThat(world.fake().compute().policies().names()).containsExactly(POLICY);
  }

  @Test
  void eachZoneHasItsOwnPolicy() {
    world.fake().compute().pool(TYPE, "us-central1-a", 0);
    testCloud.ready(SampleLeaseRequests.near(TestLeaseRequests.of(LEASE)));
    assertThat(policyOf(LEASE)).endsWith("/elastune-" + TestLeaseRequests.RUN + "-us-central1-b");
  }

  @Test
  void singleInstanceHasNoPolicy() {
    testCloud.ready(TestLeaseRequests.of(LEASE));
    assertThat(policyOf(LEASE)).isEmpty();
    assertThat(world.fake().calls(INSERT)).isZero();
  }

  @Test
  void attachedGpusHaveNoPolicy() {
    String attached = "n1-standard-8+2xnvidia-tesla-t4";
    testCloud.ready(
        SampleLeaseRequests.near(
            TestLeaseRequests.of(
                LEASE, "gcp/us-central1/us-central1-a", attached, Market.ON_DEMAND)));
    assertThat(policyOf(LEASE)).isEmpty();
  }

  private String policyOf(String lease) {
    return world.fake().compute().resource(lease).at("/resourcePolicies/0").asString("");
  }
}
