package io.elastune.cli.gcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.cli.testing.InProcessCli;
import io.elastune.cli.testing.TinyJob;
import io.elastune.core.offer.Market;
import io.elastune.core.properties.Tier;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Terminated;
import io.elastune.provisioner.RecordedEvents;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.TestWait;
import io.elastune.provisioner.gcp.cloud.GcpCloud;
import io.elastune.provisioner.gcp.gcloud.Gcloud;
import io.elastune.provisioner.gcp.gcloud.RestClient;
import io.elastune.provisioner.gcp.model.CloudsFile;
import io.elastune.provisioner.gcp.sdk.SdkCompute;
import io.elastune.provisioner.gcp.testing.GcpTestEnvironment;
import io.elastune.provisioner.gcp.testing.TestLeaseRequests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Compares the commands, and a launched instance, with what second clients see on the fake Compute
 * Engine: a plain REST client in Python, and gcloud if it is installed. Google's library gets the
 * address of the fake from system properties, so that one test runs at a time.
 */
class GcpSecondClientIT {
  private static final String TYPE = "g2-standard-4";
  private static final String PLACE = "gcp/us-central1";
  private static final String ZONE = "us-central1-a";
  private static final String SETTINGS =
      """
      gcp:
        project: my-project
        regions:
          us-central1:
            image: projects/my-project/global/images/family/gpu-nodes
            zones: [us-central1-a, us-central1-b]
            subnetwork: elastune
            network_tags: [elastune]
            service_account: node@my-project.iam.gserviceaccount.com
            disk_gb: 100
            max_lifetime: 2h
      """;

  @RegisterExtension private final GcpTestEnvironment world = new GcpTestEnvironment();
  @TempDir private Path folder;

  /** A second client. */
  enum Client {
    REST,
    GCLOUD
  }

  @BeforeEach
  void setUp() throws IOException {
    assumeTrue(RestClient.isInstalled(), "python3 is not installed");
    Path home = Files.createDirectories(folder.resolve("home"));
    Files.writeString(home.resolve("clouds.yaml"), SETTINGS);
  }

  private RestClient rest() {
    return new RestClient(world.fake().url(), folder);
  }

  @Test
  void commandsAgreeWithSecondClient() throws Exception {
    List<String> zones = rest().run("zones", TYPE).valueStream().map(JsonNode::asString).toList();
    JsonNode offers = run("offers", "--infra", PLACE, "--gpu", "L4", "--json").json();
    assertThat(offers.path("offers"))
        .extracting(offer -> offer.path("instance_type").asString())
        .contains(TYPE);
    for (String zone : zones) {
      JsonNode there = run("offers", "--infra", "gcp/us-central1/" + zone, "--json").json();
      assertThat(there.path("offers"))
          .as(zone)
          .extracting(offer -> offer.path("instance_type").asString())
          .contains(TYPE);
    }
    String job = job();
    checkHasFactsOfSecondClient(job, zones);
    JsonNode plan = run("plan", job, "--json").json();
    assertThat(plan.path("plan"))
        .isNotEmpty()
        .allSatisfy(
            group ->
                assertThat(group.path("offer").asString())
                    .isEqualTo(PLACE + "/" + TYPE + "/on-demand"));
    assertThat(rest().run("instances")).as("nothing was launched").isEmpty();
  }

  private void checkHasFactsOfSecondClient(String job, List<String> zones) throws Exception {
    Map<String, String> findings = new TreeMap<>();
    new InProcessCli(folder)
        .run("check", job, "--json")
        .json()
        .forEach(
            finding ->
                findings.put(
                    finding.path("check").asString(),
                    finding.path("ok") + " " + finding.path("detail").asString()));
    String used =
        zones.stream()
            .filter(List.of("us-central1-a", "us-central1-b")::contains)
            .collect(Collectors.joining(", "));
    assertThat(findings).containsEntry("zones with " + TYPE, "true " + used);
    int limit = rest().run("quotas", "us-central1").path("NVIDIA_L4_GPUS").asInt();
    assertThat(findings.get("quota NVIDIA_L4_GPUS"))
        .startsWith("true " + limit + " GPUs allowed, 0 in use");
  }

  @ParameterizedTest
  @EnumSource
  @Tag(Tier.NIGHTLY)
  void secondClientSeesLaunchParameters(Client client) throws Exception {
    assumeTrue(client == Client.REST || Gcloud.isInstalled(), "gcloud is not installed");
    String onDemand = TestLeaseRequests.RUN + "-1";
    String spot = TestLeaseRequests.RUN + "-2";
    RecordedEvents events = new RecordedEvents();
    try (Cloud cloud = cloud(events)) {
      cloud.request(TestLeaseRequests.of(onDemand));
      cloud.request(TestLeaseRequests.of(spot, PLACE, TYPE, Market.SPOT));
      TestWait.until(
          () -> events.has(Ready.class, onDemand) && events.has(Ready.class, spot), events);
      Map<String, JsonNode> seen = byLease(client);
      assertThat(seen).containsOnlyKeys(onDemand, spot);
      checkParameters(onDemand, seen.get(onDemand), "STANDARD");
      checkParameters(spot, seen.get(spot), "SPOT");
      for (String lease : seen.keySet()) {
        checkDisk(lease, rest().run("disk", ZONE, "elastune-" + lease));
      }
      cloud.release(onDemand);
      cloud.release(spot);
      TestWait.until(
          () -> events.has(Terminated.class, onDemand) && events.has(Terminated.class, spot),
          events);
    }
    assertThat(byLease(client)).isEmpty();
  }

  private static void checkParameters(String lease, JsonNode instance, String model) {
    assertThat(instance.path("name").asString()).isEqualTo("elastune-" + lease);
    assertThat(instance.path("status").asString()).isEqualTo("RUNNING");
    assertThat(instance.path("machineType").asString()).endsWith("/machineTypes/" + TYPE);
    assertThat(instance.path("zone").asString()).endsWith("/zones/" + ZONE);
    assertThat(instance.at("/labels/" + Tags.RUN).asString()).isEqualTo(TestLeaseRequests.RUN);
    assertThat(instance.at("/labels/" + Tags.OWNER).asString()).isEqualTo("tester");
    JsonNode scheduling = instance.path("scheduling");
    assertThat(scheduling.path("provisioningModel").asString()).isEqualTo(model);
    assertThat(scheduling.path("instanceTerminationAction").asString()).isEqualTo("DELETE");
    assertThat(scheduling.at("/maxRunDuration/seconds").asString()).isEqualTo("7200");
    assertThat(scheduling.path("onHostMaintenance").asString()).isEqualTo("TERMINATE");
    assertThat(scheduling.path("automaticRestart").asBoolean(true)).isFalse();
    assertThat(instance.at("/resourceStatus/scheduling/terminationTimestamp").asString())
        .isEqualTo(
            Instant.parse(instance.path("lastStartTimestamp").asString())
                .plusSeconds(7200)
                .toString());
    Map<String, String> metadata = new TreeMap<>();
    instance
        .at("/metadata/items")
        .forEach(item -> metadata.put(item.path("key").asString(), item.path("value").asString()));
    assertThat(metadata)
        .containsEntry(Tags.RUN, TestLeaseRequests.RUN)
        .containsEntry(Tags.LEASE, lease)
        .containsEntry("enable-guest-attributes", "TRUE")
        .hasEntrySatisfying(Tags.EXPIRES, expires -> assertThat(expires).matches("[0-9]{10}"))
        .hasEntrySatisfying(
            "startup-script", script -> assertThat(script).contains("elastune-dead-man"));
    assertThat(instance.path("disks"))
        .singleElement()
        .satisfies(
            disk -> {
              assertThat(disk.path("boot").asBoolean()).isTrue();
              assertThat(disk.path("autoDelete").asBoolean()).isTrue();
            });
    assertThat(instance.at("/networkInterfaces/0/subnetwork").asString()).endsWith("/elastune");
    assertThat(instance.at("/networkInterfaces/0").has("accessConfigs")).isFalse();
    assertThat(instance.at("/tags/items/0").asString()).isEqualTo("elastune");
    assertThat(instance.at("/serviceAccounts/0/email").asString()).startsWith("node@");
  }

  private static void checkDisk(String lease, JsonNode disk) {
    assertThat(disk.path("sizeGb").asString()).isEqualTo("100");
    assertThat(disk.path("type").asString()).endsWith("/diskTypes/pd-balanced");
    assertThat(disk.path("sourceImage").asString()).endsWith("/images/family/gpu-nodes");
    assertThat(disk.at("/labels/" + Tags.LEASE).asString()).isEqualTo(lease);
  }

  private Map<String, JsonNode> byLease(Client client) throws Exception {
    JsonNode found =
        client == Client.REST
            ? rest().run("instances")
            : JsonMapper.shared()
                .readTree(
                    new Gcloud(world.fake().url(), folder)
                        .instances("list", "--filter=labels.elastune-run:*", "--format=json"));
    Map<String, JsonNode> seen = new TreeMap<>();
    found.forEach(some -> seen.put(some.at("/labels/" + Tags.LEASE).asString(), some));
    return seen;
  }

  @Test
  void orphansOfSecondClientAreFoundAndDeleted() throws Exception {
    long now = InProcessCli.NOW.getEpochSecond();
    insert("old", now - 600);
    insert("new", now + 600);
    JsonNode found = run("orphans", "--infra", PLACE, "--json").json();
    assertThat(found)
        .extracting(orphan -> orphan.path("run").asString() + " " + orphan.path("state").asString())
        .containsExactlyInAnyOrder("old expired", "new unexpired");
    run("orphans", "--infra", PLACE, "--delete", "-y");
    assertThat(rest().run("instances"))
        .extracting(instance -> instance.path("name").asString())
        .containsExactly("elastune-new");
  }

  private void insert(String run, long expires) throws Exception {
    rest()
        .run(
            "insert",
            ZONE,
            "elastune-" + run,
            TYPE,
            Tags.RUN + "=" + run,
            Tags.LEASE + "=" + run + "-1",
            Tags.EXPIRES + "=" + expires);
  }

  private static Cloud cloud(RecordedEvents events) {
    return GcpCloud.open(
        CloudsFile.parse("clouds.yaml", SETTINGS).orThrow().orElseThrow().regions(),
        new SdkCompute(Optional.of("my-project")),
        GcpTestEnvironment.TIME,
        GcpTestEnvironment.FAST,
        events);
  }

  private String job() throws IOException {
    Path job =
        new TinyJob("second-client")
            .with("deadline", "1h")
            .trial("1", "gpus: 1")
            .with(
                "resources",
                "{infra: [" + PLACE + "], instance_types: [" + TYPE + "], max_instances: 4}")
            .write(folder.resolve("job"));
    Path profile = job.resolveSibling("profile.yaml");
    Files.writeString(profile, Files.readString(profile).replace("gpu: cpu", "gpu: L4"));
    return job.toString();
  }

  private InProcessCli.Result run(String... arguments) {
    InProcessCli.Result result = new InProcessCli(folder).run(arguments);
    assertThat(result.exit()).as(result.err()).isZero();
    return result;
  }
}
