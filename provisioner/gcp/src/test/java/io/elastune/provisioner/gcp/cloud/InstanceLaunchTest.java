package io.elastune.provisioner.gcp.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Refused;
import io.elastune.provisioner.CloudEvent.Running;
import io.elastune.provisioner.CloudEvent.Terminated;
import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.RefusalReason;
import io.elastune.provisioner.SampleLeaseRequests;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.TestCloud;
import io.elastune.provisioner.gcp.fake.Fault;
import io.elastune.provisioner.gcp.model.LaunchOptions;
import io.elastune.provisioner.gcp.model.RegionSettingsBuilder;
import io.elastune.provisioner.gcp.testing.GcpTestEnvironment;
import io.elastune.provisioner.gcp.testing.TestLeaseRequests;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** Launches and deletes instances with Google's client library against the fake. */
class InstanceLaunchTest {
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
  void insertCallLabelsAndSecuresTheNode() {
    testCloud.ready(TestLeaseRequests.of(LEASE));
    JsonNode order = world.fake().compute().resource(LEASE);

    assertThat(order.path("name").asString()).isEqualTo("elastune-" + LEASE);
    assertThat(order.path("labels").path(Tags.RUN).asString()).isEqualTo(TestLeaseRequests.RUN);
    assertThat(order.path("labels").path(Tags.OWNER).asString()).isEqualTo("tester");
    assertThat(order.path("labels").path(Tags.LEASE).asString()).isEqualTo(LEASE);
    assertThat(order.at("/disks/0/initializeParams/labels").path(Tags.RUN).asString())
        .isEqualTo(TestLeaseRequests.RUN);
    assertThat(order.at("/disks/0/autoDelete").asBoolean()).isTrue();
    assertThat(order.has("shieldedInstanceConfig")).isFalse(); // Google's default is right
    assertThat(order.at("/networkInterfaces/0/subnetwork").asString())
        .isEqualTo("regions/us-central1/subnetworks/elastune");
    assertThat(order.at("/networkInterfaces/0").has("accessConfigs")).isFalse();
    assertThat(order.at("/serviceAccounts/0/email").asString()).startsWith("node@");
    assertThat(order.at("/scheduling/maxRunDuration/seconds").asString()).isEqualTo("86400");
    assertThat(order.at("/scheduling/instanceTerminationAction").asString()).isEqualTo("DELETE");
    assertThat(order.at("/scheduling/provisioningModel").asString()).isEqualTo("STANDARD");
    assertThat(order.at("/tags/items/0").asString()).isEqualTo("elastune");
    assertThat(world.fake().compute().metadata(LEASE, Tags.EXPIRES)).matches("[0-9]{10}");
    assertThat(world.fake().calls("compute.instances.setMetadata")).isZero();
  }

  @Test
  void appliesOptionalSettings() {
    testCloud.reopen(
        events ->
            world.open(
                RegionSettingsBuilder.builder(GcpTestEnvironment.settings())
                    .zones(List.of("us-central1-c"))
                    .subnetwork(Optional.empty())
                    .networkTags(List.of())
                    .serviceAccount(Optional.empty())
                    .diskGb(50)
                    .diskType(Optional.empty())
                    .publicAddress(true)
                    .secureBoot(true)
                    .maxLifetime(Duration.ofHours(1))
                    .build(),
                events));
    testCloud.ready(TestLeaseRequests.of(LEASE));
    JsonNode order = world.fake().compute().resource(LEASE);
    assertThat(order.at("/networkInterfaces/0/accessConfigs/0/type").asString())
        .isEqualTo("ONE_TO_ONE_NAT");
    assertThat(order.at("/shieldedInstanceConfig/enableSecureBoot").asBoolean()).isTrue();
    assertThat(order.has("serviceAccounts")).isFalse();
    assertThat(world.fake().compute().zone(LEASE)).isEqualTo("us-central1-c");
  }

  /** The image is not UEFI-compatible, and Google refuses Shielded VM options for it. */
  @Test
  void appliesLaunchOptions() {
    openWith(
        "projects/deeplearning-platform-release/global/images/family/bios",
        new LaunchOptions(
            Map.of("team", "vision"), Map.of("a2-highgpu-1g", "mine"), Set.of("g2-standard-4")));
    testCloud.ready(TestLeaseRequests.of(LEASE));
    JsonNode flexible = world.fake().compute().resource(LEASE);
    assertThat(flexible.at("/scheduling/provisioningModel").asString()).isEqualTo("FLEX_START");
    assertThat(world.fake().compute().metadata(LEASE, "team")).isEqualTo("vision");
    assertThat(world.fake().compute().metadata(LEASE, "install-nvidia-driver")).isEqualTo("True");

    String other = TestLeaseRequests.RUN + "-2";
    testCloud.ready(
        TestLeaseRequests.of(other, "gcp/us-central1", "a2-highgpu-1g", Market.ON_DEMAND));
    JsonNode reserved = world.fake().compute().resource(other);
    assertThat(reserved.at("/reservationAffinity/values/0").asString()).isEqualTo("mine");
    assertThat(reserved.at("/scheduling/provisioningModel").asString()).isEqualTo("STANDARD");
  }

  /** Google deletes the instance soon after the run, even if nothing in it works. */
  @Test
  void limitsRunTimeByPlan() {
    testCloud.ready(SampleLeaseRequests.limited(TestLeaseRequests.of(LEASE), Duration.ofHours(3)));
    assertThat(
            world
                .fake()
                .compute()
                .resource(LEASE)
                .at("/scheduling/maxRunDuration/seconds")
                .asString())
        .isEqualTo("10800");
  }

  private void openWith(String image, LaunchOptions options) {
    testCloud.reopen(
        events ->
            world.open(
                RegionSettingsBuilder.builder(GcpTestEnvironment.settings())
                    .image(image)
                    .launch(options)
                    .build(),
                events));
  }

  @Test
  void attachesGpusToTypesWithoutGpus() {
    testCloud.ready(
        TestLeaseRequests.of(
            LEASE, "gcp/us-central1", "n1-standard-8+2xnvidia-tesla-t4", Market.ON_DEMAND));
    JsonNode order = world.fake().compute().resource(LEASE);
    assertThat(order.path("machineType").asString()).endsWith("/machineTypes/n1-standard-8");
    assertThat(order.at("/guestAccelerators/0/acceleratorType").asString())
        .endsWith("/acceleratorTypes/nvidia-tesla-t4");
    assertThat(order.at("/guestAccelerators/0/acceleratorCount").asInt()).isEqualTo(2);
    assertThat(testCloud.events().types(LEASE)).containsExactly(Running.class, Ready.class);
  }

  @Test
  void refusalNamesTheQuota() {
    world.fake().compute().quotas().limit("NVIDIA_L4_GPUS", 0);
    Refused refused = testCloud.refused(TestLeaseRequests.of(LEASE));
    assertThat(refused.refusal()).isEqualTo(RefusalReason.QUOTA);
    assertThat(refused.message()).contains("NVIDIA_L4_GPUS", "us-central1", "QUOTA_EXCEEDED");
  }

  @Test
  void refusalNamesTheMissingPermission() {
    world.fake().deny(Set.of("compute.instances.create"));
    Refused refused = testCloud.refused(TestLeaseRequests.of(LEASE));
    assertThat(refused.refusal()).isEqualTo(RefusalReason.PERMISSION);
    assertThat(refused.message()).contains("lack the permission compute.instances.create");
  }

  @Test
  void refusalNamesDisabledApiAndMissingBilling() {
    world.fake().refuse(INSERT, 403, "accessNotConfigured", "Compute Engine API has not been used");
    assertThat(testCloud.refused(TestLeaseRequests.of(LEASE)).message())
        .contains("API is not enabled", "gcloud services enable compute.googleapis.com");
    world
        .fake()
        .refuse(INSERT, 403, "forbidden", "This API method requires billing to be enabled.");
    Refused refused = testCloud.refused(TestLeaseRequests.of(OTHER));
    assertThat(refused.refusal()).isEqualTo(RefusalReason.PERMISSION);
    assertThat(refused.message()).contains("no billing account", "gcloud billing projects link");
  }

  @Test
  void refusesUnknownRegionAndSetupVariables() {
    assertThat(
            testCloud
                .refused(TestLeaseRequests.of(LEASE, "gcp/europe-west4", TYPE, Market.ON_DEMAND))
                .message())
        .contains("no region europe-west4 below gcp.regions");
    NodeSetup setup = new NodeSetup("true", "/work", Map.of("TOKEN", "s3cret"), "");
    assertThat(
            testCloud
                .refused(SampleLeaseRequests.withSetup(TestLeaseRequests.of(OTHER), setup))
                .message())
        .contains("metadata")
        .doesNotContain("s3cret");
  }

  /** A replacement is requested as soon as its predecessor is released. */
  @Test
  void waitsForQuotaOfEndingInstance() {
    AtomicBoolean first = new AtomicBoolean(true);
    String other = TestLeaseRequests.RUN + "-7";
    world.fake().compute().quotas().limit("NVIDIA_L4_GPUS", 1);
    testCloud.ready(TestLeaseRequests.of(LEASE));
    world
        .fake()
        .faults(
            call ->
                call.equals("compute.instances.delete") && first.getAndSet(false)
                    ? Fault.LOST_BEFORE
                    : Fault.NONE);
    testCloud.cloud().release(LEASE);
    testCloud.ready(TestLeaseRequests.of(other));
    testCloud.until(() -> testCloud.events().has(Terminated.class, LEASE));
    assertThat(testCloud.events().has(Refused.class, other)).isFalse();
  }

  @Test
  void repeatedInsertCreatesOneInstance() {
    AtomicInteger inserts = new AtomicInteger();
    world
        .fake()
        .faults(
            method ->
                method.equals(INSERT) && inserts.incrementAndGet() == 1
                    ? Fault.LOST_AFTER
                    : Fault.NONE);
    testCloud.ready(TestLeaseRequests.of(LEASE));
    assertThat(world.fake().compute().createdLeases()).containsExactly(LEASE);
  }

  @Test
  void manyLaunchesStayWithinApiRateLimits() {
    int many = 200;
    // At the rate that the API allows, as in production.
    testCloud.reopen(events -> world.open(100, events));
    world.fake().throttle(INSERT, 20, 100);
    world.fake().throttle("compute.instances.delete", 20, 100);
    world.fake().throttle(LIST, 50, 20);
    List<String> leases =
        IntStream.range(0, many).mapToObj(i -> TestLeaseRequests.RUN + "-" + i).toList();
    leases.forEach(lease -> testCloud.cloud().request(TestLeaseRequests.of(lease)));
    testCloud.until(
        () -> leases.stream().allMatch(lease -> testCloud.events().has(Ready.class, lease)));
    assertThat(world.fake().compute().peakInstances()).isEqualTo(many);
    leases.forEach(testCloud.cloud()::release);
    testCloud.until(
        () -> leases.stream().allMatch(lease -> testCloud.events().has(Terminated.class, lease)));

    assertThat(world.fake().compute().existingLeases()).isEmpty();
    assertThat(world.fake().compute().createdLeases()).doesNotHaveDuplicates().hasSize(many);
    assertThat(world.fake().calls(INSERT)).isLessThan(many * 3 / 2);
    assertThat(world.fake().pagesServed()).isPositive();
  }
}
