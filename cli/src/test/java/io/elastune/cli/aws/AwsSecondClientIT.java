package io.elastune.cli.aws;

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
import io.elastune.provisioner.aws.cloud.AwsCloud;
import io.elastune.provisioner.aws.model.CloudsFile;
import io.elastune.provisioner.aws.moto.Boto3;
import io.elastune.provisioner.aws.sdk.SdkEc2;
import io.elastune.provisioner.aws.sdk.SdkPriceList;
import io.elastune.provisioner.aws.sdk.SdkRegions;
import io.elastune.provisioner.aws.testing.AwsTestEnvironment;
import io.elastune.provisioner.aws.testing.TestLeaseRequests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * Compares the commands, and a launched instance, with what a second client sees: boto3, on the
 * fake AWS and on moto.
 */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
@Order(2) // long, and unaffected by a busy machine
class AwsSecondClientIT {
  private static final List<String> PROPERTIES =
      List.of("aws.endpointUrl", "aws.region", "aws.accessKeyId", "aws.secretAccessKey");
  private static final String TYPE = "g5.xlarge";
  private static final String PLACE = "aws/us-east-1";

  @TempDir private Path folder;
  private final EmulatedAws aws = new EmulatedAws();

  @AfterEach
  void close() {
    aws.close();
    PROPERTIES.forEach(System::clearProperty);
  }

  @BeforeAll
  static void isInstalled() {
    assumeTrue(Boto3.isInstalled(), "boto3 is not installed (pip install boto3)");
  }

  @AfterAll
  static void stop() {
    EmulatedAws.stop();
  }

  /**
   * Returns moto, which is independent of this repository, and in the nightly tier also the fake.
   */
  static List<EmulatedAws.Backend> backends() {
    return Tier.isNightly()
        ? List.of(EmulatedAws.Backend.values())
        : List.of(EmulatedAws.Backend.MOTO);
  }

  private Boto3 start(EmulatedAws.Backend backend) throws IOException {
    aws.start(backend);
    List<String> values = List.of(aws.url(), "us-east-1", "test", "test");
    for (int i = 0; i < PROPERTIES.size(); i++) {
      System.setProperty(PROPERTIES.get(i), values.get(i));
    }
    Path home = Files.createDirectories(folder.resolve("home"));
    Files.writeString(home.resolve("clouds.yaml"), aws.settings());
    return new Boto3(aws.url());
  }

  @ParameterizedTest
  @MethodSource("backends")
  void commandsAgreeWithSecondClient(EmulatedAws.Backend backend) throws Exception {
    Boto3 boto3 = start(backend);
    JsonNode seen = boto3.run("account", TYPE);
    offersHavePricesOfSecondClient(seen);
    String job = job();
    checkHasFactsOfSecondClient(job, seen);
    planHasPriceOfSecondClient(job, seen);
    assertThat(boto3.run("instances")).as("nothing was launched").isEmpty();
  }

  private void offersHavePricesOfSecondClient(JsonNode seen) {
    JsonNode offers = run("offers", "--infra", PLACE, "--gpu", "A10G", "--json").json();
    Map<String, Double> onDemand = new TreeMap<>();
    Map<String, Double> spot = new TreeMap<>();
    for (JsonNode offer : offers.path("offers")) {
      if (offer.path("instance_type").asString().equals(TYPE)) {
        String where = offer.path("infra").asString();
        (offer.path("market").asString().equals("spot") ? spot : onDemand)
            .put(where, offer.path("usd_per_hour").asDouble());
      }
    }
    assertThat(onDemand).isEqualTo(Map.of(PLACE, seen.path("on_demand").path(0).asDouble()));
    Map<String, Double> expected = new TreeMap<>();
    seen.path("spot")
        .properties()
        .forEach(zone -> expected.put(PLACE + "/" + zone.getKey(), zone.getValue().asDouble()));
    assertThat(spot).isEqualTo(expected).hasSize(2);
  }

  private void checkHasFactsOfSecondClient(String job, JsonNode seen) {
    Map<String, String> findings = new TreeMap<>();
    new InProcessCli(folder)
        .run("check", job, "--json")
        .json()
        .forEach(
            finding ->
                findings.put(
                    finding.path("check").asString(),
                    finding.path("ok") + " " + finding.path("detail").asString()));
    assertThat(findings)
        .containsEntry("credentials us-east-1", "true " + seen.path("arn").asString());
    Set<String> zones = new TreeSet<>(List.of("us-east-1a"));
    zones.retainAll(
        seen.path("zones").valueStream().map(JsonNode::asString).collect(Collectors.toSet()));
    assertThat(findings).containsEntry("zones with " + TYPE, "true " + String.join(", ", zones));
    String quota = findings.get("quota \"Running On-Demand G and VT instances\" (L-DB2E81BA)");
    assertThat(quota).contains(" " + seen.path("quota").asInt() + " vCPUs allowed, 0 in use");
  }

  /** The hours of the compute cost are whole seconds of the planned instances. */
  private void planHasPriceOfSecondClient(String job, JsonNode seen) {
    JsonNode plan = run("plan", job, "--json").json();
    assertThat(plan.path("plan"))
        .isNotEmpty()
        .allSatisfy(
            group ->
                assertThat(group.path("offer").asString())
                    .isEqualTo(PLACE + "/" + TYPE + "/on-demand"));
    double usdPerHour = seen.path("on_demand").path(0).asDouble();
    assertThat(plan.at("/estimate/cost_by/compute").asDouble() / usdPerHour * 3600)
        .as("8 + 4 trials of one unit and 2 of two units, of 7.5 s, and their starts")
        .isBetween(120.0, 125.0);
  }

  @ParameterizedTest
  @MethodSource("backends")
  void secondClientSeesLaunchParameters(EmulatedAws.Backend backend) throws Exception {
    Boto3 boto3 = start(backend);
    String onDemand = TestLeaseRequests.RUN + "-1";
    String spot = TestLeaseRequests.RUN + "-2";
    RecordedEvents events = new RecordedEvents();
    try (Cloud cloud = cloud(events)) {
      cloud.request(TestLeaseRequests.of(onDemand));
      cloud.request(TestLeaseRequests.of(spot, PLACE, TYPE, Market.SPOT));
      TestWait.until(
          () -> events.has(Ready.class, onDemand) && events.has(Ready.class, spot), events);
      Map<String, JsonNode> seen = byLease(boto3);
      assertThat(seen).containsOnlyKeys(onDemand, spot);
      seen.forEach((lease, instance) -> checkParameters(lease, instance));
      assertThat(seen.get(onDemand).path("market").asString()).isEqualTo("on-demand");
      assertThat(seen.get(onDemand).path("spot_requests")).isEmpty();
      assertThat(seen.get(spot).path("market").asString()).isEqualTo("spot");
      if (backend
          == EmulatedAws.Backend.FAKE) { // moto shows no requests of instances launched this way
        JsonNode request = seen.get(spot).path("spot_requests").path(0);
        assertThat(request.path("type").asString()).isEqualTo("one-time");
        assertThat(request.path("behavior").asString()).isEqualTo("terminate");
        assertThat(request.path("max_price").isNull()).isTrue();
        checkTags(spot, request.path("tags"));
      }
      cloud.release(onDemand);
      cloud.release(spot);
      TestWait.until(
          () -> events.has(Terminated.class, onDemand) && events.has(Terminated.class, spot),
          events);
    }
    assertThat(boto3.run("instances"))
        .extracting(instance -> instance.path("state").asString())
        .containsOnly("terminated");
  }

  private void checkParameters(String lease, JsonNode instance) {
    assertThat(instance.path("state").asString()).isEqualTo("running");
    assertThat(instance.path("type").asString()).isEqualTo(TYPE);
    assertThat(instance.path("zone").asString()).isEqualTo("us-east-1a");
    assertThat(instance.path("image").asString()).isEqualTo(aws.image());
    assertThat(instance.path("profile").asString()).isEqualTo("elastune-node");
    checkTags(lease, instance.path("tags"));
    JsonNode imds = instance.path("imds");
    assertThat(imds.path("HttpTokens").asString()).isEqualTo("required");
    assertThat(imds.path("HttpPutResponseHopLimit").asInt()).isEqualTo(1);
    assertThat(imds.path("HttpEndpoint").asString()).isEqualTo("enabled");
    assertThat(imds.path("InstanceMetadataTags").asString()).isEqualTo("enabled");
    assertThat(instance.path("shutdown").asString()).isEqualTo("terminate");
    assertThat(instance.path("protected").asBoolean()).isFalse();
    assertThat(instance.path("kept_disks")).isEmpty();
    JsonNode disk = instance.path("disks").path(0);
    assertThat(disk.path("gb").asInt()).isEqualTo(100);
    assertThat(disk.path("type").asString()).isEqualTo("gp3");
    assertThat(disk.path("encrypted").asBoolean()).isTrue();
    checkTags(lease, disk.path("tags"));
    JsonNode network = instance.path("interfaces").path(0);
    assertThat(network.path("public").isNull()).isTrue();
    assertThat(network.path("groups")).hasSize(1);
  }

  private static void checkTags(String lease, JsonNode tags) {
    assertThat(tags.path(Tags.RUN).asString()).isEqualTo(TestLeaseRequests.RUN);
    assertThat(tags.path(Tags.OWNER).asString()).isEqualTo("tester");
    assertThat(tags.path(Tags.LEASE).asString()).isEqualTo(lease);
    assertThat(tags.path(Tags.EXPIRES).asString()).matches("[0-9]{10}");
    assertThat(tags.path("Name").asString()).isEqualTo(lease);
  }

  private static Map<String, JsonNode> byLease(Boto3 boto3) {
    Map<String, JsonNode> seen = new TreeMap<>();
    boto3
        .run("instances")
        .forEach(instance -> seen.put(instance.at("/tags/" + Tags.LEASE).asString(), instance));
    return seen;
  }

  @ParameterizedTest
  @MethodSource("backends")
  void orphansOfSecondClientAreFoundAndTerminated(EmulatedAws.Backend backend) throws Exception {
    Boto3 boto3 = start(backend);
    long now = InProcessCli.NOW.getEpochSecond();
    String expired = launch(boto3, "old", now - 600);
    String unexpired = launch(boto3, "new", now + 600);
    JsonNode found = run("orphans", "--infra", PLACE, "--json").json();
    assertThat(found)
        .extracting(orphan -> orphan.path("id").asString() + " " + orphan.path("state").asString())
        .containsExactlyInAnyOrder(expired + " expired", unexpired + " unexpired");
    InProcessCli.Result deleted = run("orphans", "--infra", PLACE, "--delete", "-y");
    Map<String, String> states = new TreeMap<>();
    boto3
        .run("instances")
        .forEach(some -> states.put(some.path("id").asString(), some.path("state").asString()));
    assertThat(states)
        .as(deleted.out() + deleted.err())
        .isEqualTo(Map.of(expired, "terminated", unexpired, "running"));
  }

  private String launch(Boto3 boto3, String run, long expires) {
    return boto3
        .run(
            "launch",
            TYPE,
            aws.image(),
            Tags.RUN + "=" + run,
            Tags.LEASE + "=" + run + "-1",
            Tags.EXPIRES + "=" + expires)
        .path("id")
        .asString();
  }

  private Cloud cloud(RecordedEvents events) throws IOException {
    Path file = folder.resolve("home/clouds.yaml");
    return AwsCloud.open(
        CloudsFile.parse("clouds.yaml", Files.readString(file), SdkRegions.names()).orThrow(),
        SdkEc2::new,
        region -> new SdkPriceList(region, AwsTestEnvironment.TIME),
        AwsTestEnvironment.TIME,
        AwsTestEnvironment.FAST,
        events);
  }

  private String job() throws IOException {
    Path job =
        new TinyJob("second-client")
            .trial("1", "gpus: 1")
            .with("deadline", "1h")
            .with(
                "resources",
                "{infra: [" + PLACE + "], instance_types: [" + TYPE + "], max_instances: 4}")
            .write(folder.resolve("job"));
    Path profile = job.resolveSibling("profile.yaml");
    Files.writeString(profile, Files.readString(profile).replace("gpu: cpu", "gpu: A10G"));
    return job.toString();
  }

  private InProcessCli.Result run(String... arguments) {
    InProcessCli.Result result = new InProcessCli(folder).run(arguments);
    assertThat(result.exit()).as(result.err()).isZero();
    return result;
  }
}
