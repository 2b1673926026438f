package io.elastune.provisioner.gcp.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudEvent.Lost;
import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Refused;
import io.elastune.provisioner.CloudEvent.Running;
import io.elastune.provisioner.CloudEvent.Terminated;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.LifeLimit;
import io.elastune.provisioner.Loss;
import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.RecordedEvents;
import io.elastune.provisioner.Refusal;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.gcp.account.RegionSettings;
import io.elastune.provisioner.gcp.fake.FakeTimes;
import io.elastune.provisioner.gcp.fake.Fault;
import io.elastune.provisioner.gcp.testing.GcpWorld;
import io.elastune.provisioner.gcp.testing.Requests;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** How instances come and go, with Google's client library against the fake. */
class LaunchTest {
  private static final String LEASE = Requests.RUN + "-1";
  private static final String OTHER = Requests.RUN + "-2";
  private static final String TYPE = "g2-standard-4";
  private static final String INSERT = "compute.instances.insert";
  private static final String LIST = "compute.instances.aggregatedList";

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
  void theCallItselfLabelsAndLocksDownTheNode() {
    ready(Requests.of(LEASE));
    JsonNode order = world.fake().compute().order(LEASE);

    assertThat(order.path("name").asString()).isEqualTo("elastune-" + LEASE);
    assertThat(order.path("labels").path(Tags.RUN).asString()).isEqualTo(Requests.RUN);
    assertThat(order.path("labels").path(Tags.OWNER).asString()).isEqualTo("tester");
    assertThat(order.path("labels").path(Tags.LEASE).asString()).isEqualTo(LEASE);
    assertThat(order.at("/disks/0/initializeParams/labels").path(Tags.RUN).asString())
        .isEqualTo(Requests.RUN);
    assertThat(order.at("/disks/0/autoDelete").asBoolean()).isTrue();
    assertThat(order.at("/shieldedInstanceConfig/enableVtpm").asBoolean()).isTrue();
    assertThat(order.at("/shieldedInstanceConfig/enableIntegrityMonitoring").asBoolean()).isTrue();
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
  void anAddressInTheInternetIsGivenOnlyToWhomeverAsksForOne() {
    cloud.close();
    RegionSettings some = GcpWorld.settings();
    cloud =
        world.open(
            new RegionSettings(
                some.image(),
                List.of("us-central1-c"),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                50,
                Optional.empty(),
                true,
                true,
                Duration.ofHours(1)),
            events);
    ready(Requests.of(LEASE));
    JsonNode order = world.fake().compute().order(LEASE);
    assertThat(order.at("/networkInterfaces/0/accessConfigs/0/type").asString())
        .isEqualTo("ONE_TO_ONE_NAT");
    assertThat(order.at("/shieldedInstanceConfig/enableSecureBoot").asBoolean()).isTrue();
    assertThat(order.has("serviceAccounts")).isFalse();
    assertThat(world.fake().compute().zone(LEASE)).isEqualTo("us-central1-c");
  }

  @Test
  void gpusAreAttachedToTypesThatHaveNone() {
    ready(
        Requests.of(LEASE, "gcp/us-central1", "n1-standard-8+2xnvidia-tesla-t4", Market.ON_DEMAND));
    JsonNode order = world.fake().compute().order(LEASE);
    assertThat(order.path("machineType").asString()).endsWith("/machineTypes/n1-standard-8");
    assertThat(order.at("/guestAccelerators/0/acceleratorType").asString())
        .endsWith("/acceleratorTypes/nvidia-tesla-t4");
    assertThat(order.at("/guestAccelerators/0/acceleratorCount").asInt()).isEqualTo(2);
    assertThat(events.kinds(LEASE)).containsExactly(Running.class, Ready.class);
  }

  @Test
  void whereAZoneHasNoCapacityTheNextIsAskedAndTheFirstIsRememberedForAWhile() {
    world.fake().compute().pool(TYPE, "us-central1-a", 0);
    ready(Requests.of(LEASE));
    assertThat(world.fake().compute().zone(LEASE)).isEqualTo("us-central1-b");
    assertThat(world.fake().calls(INSERT)).isEqualTo(2);

    ready(Requests.of(OTHER));
    assertThat(world.fake().calls(INSERT)).isEqualTo(3);

    world.fake().compute().pool(TYPE, "us-central1-a", 5);
    GcpWorld.pause(GcpWorld.HURRY.remember());
    ready(Requests.of(Requests.RUN + "-3"));
    assertThat(world.fake().compute().zone(Requests.RUN + "-3")).isEqualTo("us-central1-a");
  }

  @Test
  void withoutCapacityAnywhereEachZoneIsAskedOnceAndItIsSaidWhatWasTried() {
    world.fake().compute().pool(TYPE, "us-central1-a", 0);
    world.fake().compute().pool(TYPE, "us-central1-b", 0);
    Refused refused = refused(Requests.of(LEASE));

    assertThat(refused.refusal()).isEqualTo(Refusal.CAPACITY);
    assertThat(refused.message())
        .contains(
            "g2-standard-4 (on-demand) is not to be had in any zone of gcp/us-central1",
            "asked us-central1-a, us-central1-b within",
            "ZONE_RESOURCE_POOL_EXHAUSTED",
            "another instance type, region or market may have it");
    assertThat(world.fake().calls(INSERT)).isEqualTo(2);

    assertThat(refused(Requests.of(OTHER)).message()).contains("its zones said so less than");
    assertThat(world.fake().calls(INSERT)).as("refusals are remembered").isEqualTo(2);
    assertThat(world.fake().compute().there()).isEmpty();
  }

  @Test
  void aTypeThatAZoneDoesNotHaveIsLookedForInTheNext() {
    cloud.close();
    RegionSettings some = GcpWorld.settings();
    cloud =
        world.open(
            new RegionSettings(
                some.image(),
                List.of("us-central1-b", "us-central1-a"),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                50,
                Optional.empty(),
                false,
                false,
                Duration.ofHours(1)),
            events);
    ready(Requests.of(LEASE, "gcp/us-central1", "a2-highgpu-1g", Market.ON_DEMAND));
    assertThat(world.fake().compute().zone(LEASE)).isEqualTo("us-central1-a");
  }

  @Test
  void withoutZonesInTheSettingsThoseOfTheRegionAreTried() {
    cloud.close();
    RegionSettings some = GcpWorld.settings();
    cloud =
        world.open(
            new RegionSettings(
                some.image(),
                List.of(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                50,
                Optional.empty(),
                false,
                false,
                Duration.ofHours(1)),
            events);
    world.fake().compute().pool(TYPE, "us-central1-a", 0);
    world.fake().compute().pool(TYPE, "us-central1-b", 0);
    ready(Requests.of(LEASE));
    assertThat(world.fake().compute().zone(LEASE)).isEqualTo("us-central1-c");
  }

  @Test
  void anOfferOfAZoneIsMadeThereOnly() {
    world.fake().compute().pool(TYPE, "us-central1-b", 0);
    Refused refused =
        refused(Requests.of(LEASE, "gcp/us-central1/us-central1-b", TYPE, Market.ON_DEMAND));
    assertThat(refused.refusal()).isEqualTo(Refusal.CAPACITY);
    assertThat(world.fake().calls(INSERT)).isEqualTo(1);
  }

  @Test
  void aQuotaIsNamed() {
    world.fake().compute().quotas().limit("NVIDIA_L4_GPUS", 0);
    Refused refused = refused(Requests.of(LEASE));
    assertThat(refused.refusal()).isEqualTo(Refusal.QUOTA);
    assertThat(refused.message()).contains("NVIDIA_L4_GPUS", "us-central1", "QUOTA_EXCEEDED");
  }

  @Test
  void aMissingPermissionIsNamed() {
    world.fake().deny(Set.of("compute.instances.create"));
    Refused refused = refused(Requests.of(LEASE));
    assertThat(refused.refusal()).isEqualTo(Refusal.PERMISSION);
    assertThat(refused.message()).contains("may not compute.instances.create");
  }

  @Test
  void anApiThatIsSwitchedOffAndAMissingBillingAccountAreNamed() {
    world.fake().refuse(INSERT, 403, "accessNotConfigured", "Compute Engine API has not been used");
    assertThat(refused(Requests.of(LEASE)).message())
        .contains("API is not enabled", "gcloud services enable compute.googleapis.com");
    world
        .fake()
        .refuse(INSERT, 403, "forbidden", "This API method requires billing to be enabled.");
    Refused refused = refused(Requests.of(OTHER));
    assertThat(refused.refusal()).isEqualTo(Refusal.PERMISSION);
    assertThat(refused.message()).contains("no billing account", "gcloud billing projects link");
  }

  @Test
  void aRegionWithoutSettingsAndSecretsInMetadataAreRefused() {
    assertThat(refused(Requests.of(LEASE, "gcp/europe-west4", TYPE, Market.ON_DEMAND)).message())
        .contains("no region europe-west4 below gcp.regions");
    NodeSetup setup = new NodeSetup("true", "/work", Map.of("TOKEN", "s3cret"), "");
    assertThat(refused(Requests.withSetup(Requests.of(OTHER), setup)).message())
        .contains("metadata")
        .doesNotContain("s3cret");
  }

  /** Google lists what it is making, also where it then fails to. */
  @Test
  void whatWasListedAndNeverCameDoesNotStandForWhatComesInTheNextZone() {
    world.fake().compute().pool(TYPE, "us-central1-a", 0);
    world.fake().compute().times(lease -> FakeTimes.millis(300, 0, 0));
    ready(Requests.of(LEASE));

    assertThat(events.kinds(LEASE)).containsExactly(Running.class, Ready.class);
    assertThat(world.fake().compute().zone(LEASE)).isEqualTo("us-central1-b");
    assertThat(world.fake().calls(LIST)).as("it was listed").isGreaterThan(5);
    assertThat(world.fake().calls("compute.instances.delete")).isZero();
  }

  /** What replaces an instance is requested as soon as that is given back. */
  @Test
  void aQuotaThatWhatIsJustEndingUsesUpIsWaitedFor() {
    AtomicBoolean first = new AtomicBoolean(true);
    String other = Requests.RUN + "-7";
    world.fake().compute().quotas().limit("NVIDIA_L4_GPUS", 1);
    ready(Requests.of(LEASE));
    world
        .fake()
        .faults(
            call ->
                call.equals("compute.instances.delete") && first.getAndSet(false)
                    ? Fault.LOST_BEFORE
                    : Fault.NONE);
    cloud.release(LEASE);
    ready(Requests.of(other));
    until(() -> events.has(Terminated.class, LEASE));
    assertThat(events.has(Refused.class, other)).isFalse();
  }

  @Test
  void aMachineThatHasShutItselfDownHasFailedAndIsDeletedForItsDisk() {
    ready(Requests.of(LEASE));
    world.fake().compute().shutDown(LEASE);
    until(() -> events.has(Terminated.class, LEASE));
    assertThat(events.first(Lost.class, LEASE).loss()).isEqualTo(Loss.FAILED);
    assertThat(events.first(Lost.class, LEASE).message()).contains("guestTerminate");
    assertThat(world.fake().compute().there()).isEmpty();
  }

  @Test
  void whatSomebodyElseDeletesIsLostAndGone() {
    ready(Requests.of(LEASE));
    ready(Requests.of(OTHER));
    world.fake().compute().vanish(LEASE, true);
    world.fake().compute().vanish(OTHER, false); // of which Google remembers nothing
    until(() -> events.has(Terminated.class, LEASE) && events.has(Terminated.class, OTHER));
    for (String lease : List.of(LEASE, OTHER)) {
      assertThat(events.kinds(lease))
          .containsExactly(Running.class, Ready.class, Lost.class, Terminated.class);
    }
  }

  @Test
  void anInsertionWhoseAnswerIsLostIsRepeatedToTheLetterAndMakesOne() {
    AtomicInteger inserts = new AtomicInteger();
    world
        .fake()
        .faults(
            method ->
                method.equals(INSERT) && inserts.incrementAndGet() == 1
                    ? Fault.LOST_AFTER
                    : Fault.NONE);
    ready(Requests.of(LEASE));
    assertThat(world.fake().compute().ever()).containsExactly(LEASE);
  }

  @Test
  void anInstanceThatIsNotListedForAWhileOrWhoseZoneIsSilentIsNotGivenUp() {
    ready(Requests.of(LEASE));
    for (Fault fault : List.of(Fault.EMPTY, Fault.UNREACHABLE)) {
      world.fake().faults(method -> method.equals(LIST) ? fault : Fault.NONE);
      GcpWorld.pause(GcpWorld.HURRY.settle().multipliedBy(2));
    }
    world.fake().faults(method -> Fault.NONE);
    GcpWorld.pause(GcpWorld.HURRY.settle());
    assertThat(events.kinds(LEASE)).containsExactly(Running.class, Ready.class);
  }

  @Test
  void aSilentZoneMakesNoEmptyList() {
    world.fake().faults(method -> method.equals(LIST) ? Fault.UNREACHABLE : Fault.NONE);
    cloud.list(Requests.RUN);
    GcpWorld.pause(Duration.ofMillis(300));
    assertThat(events.lists()).isEmpty();
    world.fake().faults(method -> Fault.NONE);
    until(() -> events.lists().size() == 1);
    assertThat(events.lists().get(0).instances()).isEmpty();
  }

  @Test
  void anInstanceTooManyIsEnded() {
    ready(Requests.of(LEASE));
    world
        .fake()
        .compute()
        .add(
            "us-central1-c",
            "elastune-other",
            TYPE,
            Map.of(Tags.RUN, Requests.RUN, Tags.LEASE, LEASE));
    until(() -> world.fake().compute().there().size() == 1);
    assertThat(events.kinds(LEASE)).containsExactly(Running.class, Ready.class);
  }

  @Test
  void theTimeOfNodesIsPutOffAndTheirOtherMetadataStays() {
    cloud.request(Requests.withDeadMan(Requests.of(LEASE), Duration.ofSeconds(4)));
    until(() -> events.has(Ready.class, LEASE));
    String before = world.fake().compute().metadata(LEASE, Tags.EXPIRES);
    until(() -> !world.fake().compute().metadata(LEASE, Tags.EXPIRES).equals(before));
    assertThat(world.fake().compute().metadata(LEASE, Tags.LEASE)).isEqualTo(LEASE);
    assertThat(world.fake().compute().metadata(LEASE, "startup-script")).contains("dead-man");
    assertThat(Long.parseLong(world.fake().compute().metadata(LEASE, Tags.EXPIRES)))
        .isGreaterThan(GcpWorld.TIME.instant().getEpochSecond());
  }

  /** Those that are there are told at once, and those that come later as soon as they are up. */
  @Test
  void nodesAreToldToEndBeforeTheMoneyRunsOut() {
    Instant soon = GcpWorld.TIME.instant().plusSeconds(300).truncatedTo(ChronoUnit.SECONDS);
    ready(Requests.of(LEASE));
    assertThat(expires(LEASE)).isAfter(soon);

    cloud.limitLives(new LifeLimit(soon, Map.of()));
    cloud.request(Requests.of(OTHER));
    until(() -> expires(LEASE).equals(soon));
    until(() -> events.has(Ready.class, OTHER));
    until(() -> expires(OTHER).equals(soon));
    cloud.limitLives(LifeLimit.NONE);
    until(() -> expires(LEASE).isAfter(soon) && expires(OTHER).isAfter(soon));
  }

  /**
   * The very order that makes it limits its life, in case that nobody is there any more after it.
   */
  @Test
  void aNodeIsOrderedToEndWhenTheMoneyRunsOutCountedFromItsStart() {
    Duration most = Duration.ofSeconds(100);
    Instant before = GcpWorld.TIME.instant().truncatedTo(ChronoUnit.SECONDS);
    cloud.limitLives(new LifeLimit(before, Map.of(LEASE, most)));
    ready(Requests.of(LEASE));
    Instant after = GcpWorld.TIME.instant();

    assertThat(firstExpiry(LEASE)).isBetween(before.plus(most), after.plus(most));
    assertThat(expires(LEASE)).isBetween(before.plus(most), after.plus(most));
    cloud.limitLives(new LifeLimit(after.plusSeconds(200), Map.of()));
    until(() -> expires(LEASE).equals(after.plusSeconds(200).truncatedTo(ChronoUnit.SECONDS)));
  }

  /** What another costs is paid for by those that are there: they have to know of it first. */
  @Test
  void nothingIsMadeBeforeNodesHaveHeardOfTheirNewEnd() {
    String tell = "compute.instances.setMetadata";
    Instant soon = GcpWorld.TIME.instant().plusSeconds(300).truncatedTo(ChronoUnit.SECONDS);
    ready(Requests.of(LEASE));
    world.fake().faults(method -> method.equals(tell) ? Fault.ERROR_BEFORE : Fault.NONE);
    cloud.limitLives(new LifeLimit(soon, Map.of(OTHER, Duration.ofMinutes(5))));
    cloud.request(Requests.of(OTHER));
    until(() -> world.fake().calls(tell) >= 3);
    assertThat(world.fake().calls(INSERT)).isEqualTo(1);

    world.fake().faults(method -> Fault.NONE);
    until(() -> world.fake().calls(INSERT) == 2);
    assertThat(expires(LEASE)).isEqualTo(soon);
    until(() -> events.has(Ready.class, OTHER));
  }

  private Instant firstExpiry(String lease) {
    String script = world.fake().compute().metadata(lease, "startup-script");
    Matcher armed = Pattern.compile("echo '(\\d+)' >\"\\$state/expires\"").matcher(script);
    assertThat(armed.find()).isTrue();
    return Instant.ofEpochSecond(Long.parseLong(armed.group(1)));
  }

  private Instant expires(String lease) {
    return Instant.ofEpochSecond(
        Long.parseLong(world.fake().compute().metadata(lease, Tags.EXPIRES)));
  }

  @Test
  void manyGoUpAndDownWithinTheLimitsOfTheApi() {
    int many = 200;
    cloud.close();
    cloud = world.open(100, events); // as often as the API allows, like the real pace
    world.fake().throttle(INSERT, 20, 100);
    world.fake().throttle("compute.instances.delete", 20, 100);
    world.fake().throttle(LIST, 50, 20);
    List<String> leases = IntStream.range(0, many).mapToObj(i -> Requests.RUN + "-" + i).toList();
    leases.forEach(lease -> cloud.request(Requests.of(lease)));
    until(() -> leases.stream().allMatch(lease -> events.has(Ready.class, lease)));
    assertThat(world.fake().compute().most()).isEqualTo(many);
    leases.forEach(cloud::release);
    until(() -> leases.stream().allMatch(lease -> events.has(Terminated.class, lease)));

    assertThat(world.fake().compute().there()).isEmpty();
    assertThat(world.fake().compute().ever()).doesNotHaveDuplicates().hasSize(many);
    assertThat(world.fake().calls(INSERT)).isLessThan(many * 3 / 2);
    assertThat(world.fake().pagesTurned()).isPositive();
  }

  private void ready(LeaseRequest request) {
    cloud.request(request);
    until(() -> events.has(Ready.class, request.lease()));
  }

  private Refused refused(LeaseRequest request) {
    cloud.request(request);
    until(() -> events.has(Refused.class, request.lease()));
    return events.first(Refused.class, request.lease());
  }

  private void until(BooleanSupplier condition) {
    GcpWorld.until(condition, events);
  }
}
