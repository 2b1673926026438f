package io.elastune.provisioner.gcp.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Terminated;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.RecordedEvents;
import io.elastune.provisioner.gcp.testing.GcpWorld;
import io.elastune.provisioner.gcp.testing.Requests;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Instances of trials that span several of them. */
class TeamsTest {
  private static final String LEASE = Requests.RUN + "-1";
  private static final String OTHER = Requests.RUN + "-2";
  private static final String TYPE = "g2-standard-4";
  private static final String INSERT = "compute.resourcePolicies.insert";
  private static final String POLICY = "elastune-" + Requests.RUN + "-us-central1-a";

  @RegisterExtension private final GcpWorld world = new GcpWorld();
  private final RecordedEvents events = new RecordedEvents();
  private Cloud cloud;

  @BeforeEach
  void open() {
    cloud = world.open(events);
  }

  @AfterEach
  void close() {
    cloud.close();
  }

  @Test
  void theyStandCloseTogetherAndTheirPolicyGoesWithThem() {
    cloud.request(Requests.near(Requests.of(OTHER)));
    ready(Requests.near(Requests.of(LEASE)));
    until(() -> events.has(Ready.class, OTHER));
    assertThat(policyOf(LEASE))
        .isEqualTo("projects/my-project/regions/us-central1/resourcePolicies/" + POLICY);
    assertThat(policyOf(OTHER)).isEqualTo(policyOf(LEASE));
    assertThat(world.fake().compute().policies().names()).containsExactly(POLICY);
    assertThat(world.fake().calls(INSERT)).isEqualTo(1);

    cloud.release(LEASE);
    cloud.release(OTHER);
    until(() -> events.has(Terminated.class, LEASE) && events.has(Terminated.class, OTHER));
    cloud.list(Requests.RUN);
    until(() -> world.fake().compute().policies().names().isEmpty());
  }

  @Test
  void aPolicyThatAnEarlierControllerHasMadeIsUsed() {
    ready(Requests.near(Requests.of(LEASE)));
    cloud.close();
    cloud = world.open(events);
    ready(Requests.near(Requests.of(OTHER)));
    assertThat(world.fake().calls(INSERT)).isEqualTo(2);
    assertThat(world.fake().compute().policies().names()).containsExactly(POLICY);
  }

  @Test
  void inTheNextZoneTheyHaveAnother() {
    world.fake().compute().pool(TYPE, "us-central1-a", 0);
    ready(Requests.near(Requests.of(LEASE)));
    assertThat(policyOf(LEASE)).endsWith("/elastune-" + Requests.RUN + "-us-central1-b");
  }

  @Test
  void whoNeedsNoneHasNone() {
    ready(Requests.of(LEASE));
    assertThat(policyOf(LEASE)).isEmpty();
    assertThat(world.fake().calls(INSERT)).isZero();
  }

  @Test
  void machinesWithAttachedGpusCanHaveNone() {
    String attached = "n1-standard-8+2xnvidia-tesla-t4";
    ready(
        Requests.near(
            Requests.of(LEASE, "gcp/us-central1/us-central1-a", attached, Market.ON_DEMAND)));
    assertThat(policyOf(LEASE)).isEmpty();
  }

  private String policyOf(String lease) {
    return world.fake().compute().order(lease).at("/resourcePolicies/0").asString("");
  }

  private void ready(LeaseRequest request) {
    cloud.request(request);
    until(() -> events.has(Ready.class, request.lease()));
  }

  private void until(BooleanSupplier condition) {
    GcpWorld.until(condition, events);
  }
}
