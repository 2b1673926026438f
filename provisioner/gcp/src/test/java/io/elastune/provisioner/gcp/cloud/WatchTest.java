package io.elastune.provisioner.gcp.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.CloudEvent.Lost;
import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Running;
import io.elastune.provisioner.CloudEvent.Terminated;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.NodeExpiryLimit;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.TestCloud;
import io.elastune.provisioner.TestWait;
import io.elastune.provisioner.gcp.fake.Fault;
import io.elastune.provisioner.gcp.testing.GcpWorld;
import io.elastune.provisioner.gcp.testing.Requests;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Monitors instances with Google's client library against the fake. */
class WatchTest {
  private static final String LEASE = Requests.RUN + "-1";
  private static final String OTHER = Requests.RUN + "-2";
  private static final String TYPE = "g2-standard-4";
  private static final String INSERT = "compute.instances.insert";
  private static final String LIST = "compute.instances.aggregatedList";

  @Order(1)
  @RegisterExtension
  private final GcpWorld world = new GcpWorld();

  @Order(2)
  @RegisterExtension
  private final TestCloud door = new TestCloud(world::open);

  @Test
  void instanceThatShutsDownFailsAndIsDeleted() {
    door.ready(Requests.of(LEASE));
    world.fake().compute().shutDown(LEASE);
    door.until(() -> door.events().has(Terminated.class, LEASE));
    assertThat(door.events().first(Lost.class, LEASE).loss()).isEqualTo(LossReason.FAILED);
    assertThat(door.events().first(Lost.class, LEASE).message()).contains("guestTerminate");
    assertThat(world.fake().compute().there()).isEmpty();
  }

  @Test
  void externallyDeletedInstanceIsLost() {
    door.ready(Requests.of(LEASE));
    door.ready(Requests.of(OTHER));
    world.fake().compute().vanish(LEASE, true);
    world.fake().compute().vanish(OTHER, false); // without an operation in Google's history
    door.until(
        () ->
            door.events().has(Terminated.class, LEASE)
                && door.events().has(Terminated.class, OTHER));
    for (String lease : List.of(LEASE, OTHER)) {
      assertThat(door.events().types(lease))
          .containsExactly(Running.class, Ready.class, Lost.class, Terminated.class);
    }
  }

  @Test
  void unlistedInstanceIsNotReportedAsLost() {
    door.ready(Requests.of(LEASE));
    for (Fault fault : List.of(Fault.EMPTY, Fault.UNREACHABLE)) {
      world.fake().faults(method -> method.equals(LIST) ? fault : Fault.NONE);
      TestWait.pause(GcpWorld.HURRY.settle().multipliedBy(2));
    }
    world.fake().faults(method -> Fault.NONE);
    TestWait.pause(GcpWorld.HURRY.settle());
    assertThat(door.events().types(LEASE)).containsExactly(Running.class, Ready.class);
  }

  @Test
  void unreachableZoneGivesNoEmptyList() {
    world.fake().faults(method -> method.equals(LIST) ? Fault.UNREACHABLE : Fault.NONE);
    door.cloud().list(Requests.RUN);
    TestWait.pause(Duration.ofMillis(300));
    assertThat(door.events().lists()).isEmpty();
    world.fake().faults(method -> Fault.NONE);
    door.until(() -> door.events().lists().size() == 1);
    assertThat(door.events().lists().get(0).instances()).isEmpty();
  }

  @Test
  void deletesDuplicateInstance() {
    door.ready(Requests.of(LEASE));
    world
        .fake()
        .compute()
        .add(
            "us-central1-c",
            "elastune-other",
            TYPE,
            Map.of(Tags.RUN, Requests.RUN, Tags.LEASE, LEASE));
    door.until(() -> world.fake().compute().there().size() == 1);
    assertThat(door.events().types(LEASE)).containsExactly(Running.class, Ready.class);
  }

  @Test
  void renewsExpiryAndKeepsOtherMetadata() {
    door.cloud().request(Requests.withDeadMan(Requests.of(LEASE), Duration.ofSeconds(4)));
    door.until(() -> door.events().has(Ready.class, LEASE));
    String before = world.fake().compute().metadata(LEASE, Tags.EXPIRES);
    door.until(() -> !world.fake().compute().metadata(LEASE, Tags.EXPIRES).equals(before));
    assertThat(world.fake().compute().metadata(LEASE, Tags.LEASE)).isEqualTo(LEASE);
    assertThat(world.fake().compute().metadata(LEASE, "startup-script")).contains("dead-man");
    assertThat(Long.parseLong(world.fake().compute().metadata(LEASE, Tags.EXPIRES)))
        .isGreaterThan(GcpWorld.TIME.instant().getEpochSecond());
  }

  /** Existing nodes receive the limit immediately, later ones as soon as they run. */
  @Test
  void limitsExpiryOfAllNodes() {
    Instant soon = GcpWorld.TIME.instant().plusSeconds(300).truncatedTo(ChronoUnit.SECONDS);
    door.ready(Requests.of(LEASE));
    assertThat(expires(LEASE)).isAfter(soon);

    door.cloud().limitNodeExpiry(new NodeExpiryLimit(soon, Map.of()));
    door.cloud().request(Requests.of(OTHER));
    door.until(() -> expires(LEASE).equals(soon));
    door.until(() -> door.events().has(Ready.class, OTHER));
    door.until(() -> expires(OTHER).equals(soon));
    door.cloud().limitNodeExpiry(NodeExpiryLimit.NONE);
    door.until(() -> expires(LEASE).isAfter(soon) && expires(OTHER).isAfter(soon));
  }

  /** The insert request already contains the limit, in case the controller stops after it. */
  @Test
  void insertRequestLimitsExpiryFromStart() {
    Duration most = Duration.ofSeconds(100);
    Instant before = GcpWorld.TIME.instant().truncatedTo(ChronoUnit.SECONDS);
    door.cloud().limitNodeExpiry(new NodeExpiryLimit(before, Map.of(LEASE, most)));
    door.ready(Requests.of(LEASE));
    Instant after = GcpWorld.TIME.instant();

    assertThat(firstExpiry(LEASE)).isBetween(before.plus(most), after.plus(most));
    assertThat(expires(LEASE)).isBetween(before.plus(most), after.plus(most));
    door.cloud().limitNodeExpiry(new NodeExpiryLimit(after.plusSeconds(200), Map.of()));
    door.until(() -> expires(LEASE).equals(after.plusSeconds(200).truncatedTo(ChronoUnit.SECONDS)));
  }

  /**
   * The limit of the existing nodes reserves the cost of another one, so they must receive it
   * first.
   */
  @Test
  void launchesOnlyAfterNodesReceivedTheLimit() {
    String setMetadata = "compute.instances.setMetadata";
    Instant soon = GcpWorld.TIME.instant().plusSeconds(300).truncatedTo(ChronoUnit.SECONDS);
    door.ready(Requests.of(LEASE));
    world.fake().faults(method -> method.equals(setMetadata) ? Fault.ERROR_BEFORE : Fault.NONE);
    door.cloud().limitNodeExpiry(new NodeExpiryLimit(soon, Map.of(OTHER, Duration.ofMinutes(5))));
    door.cloud().request(Requests.of(OTHER));
    door.until(() -> world.fake().calls(setMetadata) >= 3);
    assertThat(world.fake().calls(INSERT)).isEqualTo(1);

    world.fake().faults(method -> Fault.NONE);
    door.until(() -> world.fake().calls(INSERT) == 2);
    assertThat(expires(LEASE)).isEqualTo(soon);
    door.until(() -> door.events().has(Ready.class, OTHER));
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
}
