package io.elastune.provisioner.gcp.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Terminated;
import io.elastune.provisioner.TestCloud;
import io.elastune.provisioner.gcp.testing.GcpWorld;
import io.elastune.provisioner.gcp.testing.Requests;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests placement policies of instances for trials that span several instances. */
class TeamsTest {
  private static final String LEASE = Requests.RUN + "-1";
  private static final String OTHER = Requests.RUN + "-2";
  private static final String TYPE = "g2-standard-4";
  private static final String INSERT = "compute.resourcePolicies.insert";
  private static final String POLICY = "elastune-" + Requests.RUN + "-us-central1-a";

  @Order(1)
  @RegisterExtension
  private final GcpWorld world = new GcpWorld();

  @Order(2)
  @RegisterExtension
  private final TestCloud door = new TestCloud(world::open);

  @Test
  void teamSharesAPolicyThatIsDeletedAfterIt() {
    door.cloud().request(Requests.near(Requests.of(OTHER)));
    door.ready(Requests.near(Requests.of(LEASE)));
    door.until(() -> door.events().has(Ready.class, OTHER));
    assertThat(policyOf(LEASE))
        .isEqualTo("projects/my-project/regions/us-central1/resourcePolicies/" + POLICY);
    assertThat(policyOf(OTHER)).isEqualTo(policyOf(LEASE));
    assertThat(world.fake().compute().policies().names()).containsExactly(POLICY);
    assertThat(world.fake().calls(INSERT)).isEqualTo(1);

    door.cloud().release(LEASE);
    door.cloud().release(OTHER);
    door.until(
        () ->
            door.events().has(Terminated.class, LEASE)
                && door.events().has(Terminated.class, OTHER));
    door.cloud().list(Requests.RUN);
    door.until(() -> world.fake().compute().policies().names().isEmpty());
  }

  @Test
  void reusesThePolicyOfAnEarlierController() {
    door.ready(Requests.near(Requests.of(LEASE)));
    door.reopen();
    door.ready(Requests.near(Requests.of(OTHER)));
    assertThat(world.fake().calls(INSERT)).isEqualTo(2);
    assertThat(world.fake().compute().policies().names()).containsExactly(POLICY);
  }

  @Test
  void eachZoneHasItsOwnPolicy() {
    world.fake().compute().pool(TYPE, "us-central1-a", 0);
    door.ready(Requests.near(Requests.of(LEASE)));
    assertThat(policyOf(LEASE)).endsWith("/elastune-" + Requests.RUN + "-us-central1-b");
  }

  @Test
  void singleInstanceHasNoPolicy() {
    door.ready(Requests.of(LEASE));
    assertThat(policyOf(LEASE)).isEmpty();
    assertThat(world.fake().calls(INSERT)).isZero();
  }

  @Test
  void attachedGpusHaveNoPolicy() {
    String attached = "n1-standard-8+2xnvidia-tesla-t4";
    door.ready(
        Requests.near(
            Requests.of(LEASE, "gcp/us-central1/us-central1-a", attached, Market.ON_DEMAND)));
    assertThat(policyOf(LEASE)).isEmpty();
  }

  private String policyOf(String lease) {
    return world.fake().compute().order(lease).at("/resourcePolicies/0").asString("");
  }
}
