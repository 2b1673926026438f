package io.elastune.provisioner.gcp.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.CloudEvent.Lost;
import io.elastune.provisioner.CloudEvent.PreparationFailed;
import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Running;
import io.elastune.provisioner.CloudEvent.Terminated;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.NodeExpiryLimit;
import io.elastune.provisioner.PreparationStep;
import io.elastune.provisioner.SampleLeaseRequests;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.TestCloud;
import io.elastune.provisioner.TestWait;
import io.elastune.provisioner.gcp.fake.Fault;
import io.elastune.provisioner.gcp.testing.GcpTestEnvironment;
import io.elastune.provisioner.gcp.testing.TestLeaseRequests;
import io.elastune.provisioner.remote.PollingIntervals;
import io.elastune.provisioner.remote.PollingIntervalsBuilder;
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
class InstanceMonitorTest {
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
  void instanceThatShutsDownFailsAndIsDeleted() {
    testCloud.ready(TestLeaseRequests.of(LEASE));
    world.fake().compute().shutDown(LEASE);
    testCloud.until(() -> testCloud.events().has(Terminated.class, LEASE));
    assertThat(testCloud.events().first(Lost.class, LEASE).loss()).isEqualTo(LossReason.FAILED);
    assertThat(testCloud.events().first(Lost.class, LEASE).message()).contains("guestTerminate");
    assertThat(world.fake().compute().existingLeases()).isEmpty();
  }

  /** As some organizations do. The node has joined the cluster of its run. */
  @Test
  void nodeWhoseReportIsForbiddenIsReadyOnceConfirmed() {
    forbidGuestAttributes();
    testCloud.cloud().request(TestLeaseRequests.of(LEASE));
    testCloud.until(() -> testCloud.events().has(Running.class, LEASE));
    testCloud.cloud().confirmBoot(LEASE);
    testCloud.until(() -> testCloud.events().has(Ready.class, LEASE));
    testCloud.cloud().confirmBoot(LEASE);
    testCloud.cloud().release(LEASE);
    testCloud.until(() -> testCloud.events().has(Terminated.class, LEASE));
    assertThat(testCloud.events().types(LEASE))
        .containsExactly(Running.class, Ready.class, Terminated.class);
  }

  private String forbidGuestAttributes() {
    String policy = "Constraint constraints/compute.disableGuestAttributesAccess violated.";
    world.fake().refuse("compute.instances.getGuestAttributes", 412, "conditionNotMet", policy);
    return policy;
  }

  @Test
  void policyThatForbidsReportIsNamedIfNodeDoesNotJoin() {
    String policy = forbidGuestAttributes();
    PollingIntervals impatient =
        PollingIntervalsBuilder.builder(GcpTestEnvironment.FAST)
            .bootTimeout(Duration.ofMillis(100))
            .build();
    testCloud.reopen(events -> world.open(GcpTestEnvironment.settings(), impatient, events));
    testCloud.cloud().request(TestLeaseRequests.of(LEASE));
    testCloud.until(() -> testCloud.events().has(PreparationFailed.class, LEASE));

    PreparationFailed failed = testCloud.events().first(PreparationFailed.class, LEASE);
    assertThat(failed.step()).isEqualTo(PreparationStep.JOIN);
    assertThat(failed.message()).contains("remove the constraint compute.disableGuest", policy);
    testCloud.cloud().release(LEASE);
    testCloud.until(() -> testCloud.events().has(Terminated.class, LEASE));
  }

  @Test
  void externallyDeletedInstanceIsLost() {
    testCloud.ready(TestLeaseRequests.of(LEASE));
    testCloud.ready(TestLeaseRequests.of(OTHER));
    world.fake().compute().deleteExternally(LEASE, true);
    world
        .fake()
        .compute()
        .deleteExternally(OTHER, false); // without an operation in Google's history
    testCloud.until(
        () ->
            testCloud.events().has(Terminated.class, LEASE)
                && testCloud.events().has(Terminated.class, OTHER));
    for (String lease : List.of(LEASE, OTHER)) {
      assertThat(testCloud.events().types(lease))
          .containsExactly(Running.class, Ready.class, Lost.class, Terminated.class);
    }
  }

  @Test
  void unlistedInstanceIsNotReportedAsLost() {
    testCloud.ready(TestLeaseRequests.of(LEASE));
    for (Fault fault : List.of(Fault.EMPTY, Fault.UNREACHABLE)) {
      world.fake().faults(method -> method.equals(LIST) ? fault : Fault.NONE);
      TestWait.pause(GcpTestEnvironment.FAST.listingDelay().multipliedBy(2));
    }
    world.fake().faults(method -> Fault.NONE);
    TestWait.pause(GcpTestEnvironment.FAST.listingDelay());
    assertThat(testCloud.events().types(LEASE)).containsExactly(Running.class, Ready.class);
  }

  @Test
  void unreachableZoneGivesNoEmptyList() {
    world.fake().faults(method -> method.equals(LIST) ? Fault.UNREACHABLE : Fault.NONE);
    testCloud.cloud().list(TestLeaseRequests.RUN);
    TestWait.pause(Duration.ofMillis(300));
    assertThat(testCloud.events().lists()).isEmpty();
    world.fake().faults(method -> Fault.NONE);
    testCloud.until(() -> testCloud.events().lists().size() == 1);
    assertThat(testCloud.events().lists().get(0).instances()).isEmpty();
  }

  @Test
  void deletesDuplicateInstance() {
    testCloud.ready(TestLeaseRequests.of(LEASE));
    world
        .fake()
        .compute()
        .add(
            "us-central1-c",
            "elastune-other",
            TYPE,
            Map.of(Tags.RUN, TestLeaseRequests.RUN, Tags.LEASE, LEASE));
    testCloud.until(() -> world.fake().compute().existingLeases().size() == 1);
    assertThat(testCloud.events().types(LEASE)).containsExactly(Running.class, Ready.class);
  }

  /** A launch with an unknown outcome may show its instance after another one has ended. */
  @Test
  void deletesInstanceWithTheNameOfOneThatHasEnded() {
    testCloud.ready(TestLeaseRequests.of(OTHER));
    testCloud.ready(TestLeaseRequests.of(LEASE));
    String id = testCloud.events().first(Running.class, LEASE).instanceId();
    testCloud.cloud().release(LEASE);
    testCloud.until(() -> testCloud.events().has(Terminated.class, LEASE));
    world
        .fake()
        .compute()
        .add(
            id.substring(0, id.indexOf('/')),
            id.substring(id.indexOf('/') + 1),
            TYPE,
            Map.of(Tags.RUN, TestLeaseRequests.RUN, Tags.LEASE, LEASE));
    testCloud.until(() -> world.fake().compute().existingLeases().equals(List.of(OTHER)));
    assertThat(testCloud.events().types(OTHER)).containsExactly(Running.class, Ready.class);
  }

  @Test
  void renewsExpiryAndKeepsOtherMetadata() {
    testCloud
        .cloud()
        .request(
            SampleLeaseRequests.withDeadMan(TestLeaseRequests.of(LEASE), Duration.ofSeconds(4)));
    testCloud.until(() -> testCloud.events().has(Ready.class, LEASE));
    String before = world.fake().compute().metadata(LEASE, Tags.EXPIRES);
    testCloud.until(() -> !world.fake().compute().metadata(LEASE, Tags.EXPIRES).equals(before));
    assertThat(world.fake().compute().metadata(LEASE, Tags.LEASE)).isEqualTo(LEASE);
    assertThat(world.fake().compute().metadata(LEASE, "startup-script")).contains("dead-man");
    assertThat(Long.parseLong(world.fake().compute().metadata(LEASE, Tags.EXPIRES)))
        .isGreaterThan(GcpTestEnvironment.TIME.instant().getEpochSecond());
  }

  /** Existing nodes receive the limit immediately, later ones as soon as they run. */
  @Test
  void limitsExpiryOfAllNodes() {
    Instant soon =
        GcpTestEnvironment.TIME.instant().plusSeconds(300).truncatedTo(ChronoUnit.SECONDS);
    testCloud.ready(TestLeaseRequests.of(LEASE));
    assertThat(expires(LEASE)).isAfter(soon);

    testCloud.cloud().limitNodeExpiry(new NodeExpiryLimit(soon, Map.of()));
    testCloud.cloud().request(TestLeaseRequests.of(OTHER));
    testCloud.until(() -> expires(LEASE).equals(soon));
    testCloud.until(() -> testCloud.events().has(Ready.class, OTHER));
    testCloud.until(() -> expires(OTHER).equals(soon));
    testCloud.cloud().limitNodeExpiry(NodeExpiryLimit.NONE);
    testCloud.until(() -> expires(LEASE).isAfter(soon) && expires(OTHER).isAfter(soon));
  }

  /** The insert request already contains the limit, in case the controller stops after it. */
  @Test
  void insertRequestLimitsExpiryFromStart() {
    Duration most = Duration.ofSeconds(100);
    Instant before = GcpTestEnvironment.TIME.instant().truncatedTo(ChronoUnit.SECONDS);
    testCloud.cloud().limitNodeExpiry(new NodeExpiryLimit(before, Map.of(LEASE, most)));
    testCloud.ready(TestLeaseRequests.of(LEASE));
    Instant after = GcpTestEnvironment.TIME.instant();

    assertThat(firstExpiry(LEASE)).isBetween(before.plus(most), after.plus(most));
    assertThat(expires(LEASE)).isBetween(before.plus(most), after.plus(most));
    testCloud.cloud().limitNodeExpiry(new NodeExpiryLimit(after.plusSeconds(200), Map.of()));
    testCloud.until(
        () -> expires(LEASE).equals(after.plusSeconds(200).truncatedTo(ChronoUnit.SECONDS)));
  }

  /**
   * The limit of the existing nodes reserves the cost of another one, so they must receive it
   * first.
   */
  @Test
  void launchesOnlyAfterNodesReceivedTheLimit() {
    String setMetadata = "compute.instances.setMetadata";
    Instant soon =
        GcpTestEnvironment.TIME.instant().plusSeconds(300).truncatedTo(ChronoUnit.SECONDS);
    testCloud.ready(TestLeaseRequests.of(LEASE));
    world.fake().faults(method -> method.equals(setMetadata) ? Fault.ERROR_BEFORE : Fault.NONE);
    testCloud
        .cloud()
        .limitNodeExpiry(new NodeExpiryLimit(soon, Map.of(OTHER, Duration.ofMinutes(5))));
    testCloud.cloud().request(TestLeaseRequests.of(OTHER));
    testCloud.until(() -> world.fake().calls(setMetadata) >= 3);
    assertThat(world.fake().calls(INSERT)).isEqualTo(1);

    world.fake().faults(method -> Fault.NONE);
    testCloud.until(() -> world.fake().calls(INSERT) == 2);
    assertThat(expires(LEASE)).isEqualTo(soon);
    testCloud.until(() -> testCloud.events().has(Ready.class, OTHER));
  }

  private Instant firstExpiry(String lease) {
    String script = world.fake().compute().metadata(lease, "startup-script");
    Matcher armed = Pattern.compile("first_expiry=(\\d+)").matcher(script);
    assertThat(armed.find()).isTrue();
    return Instant.ofEpochSecond(Long.parseLong(armed.group(1)));
  }

  private Instant expires(String lease) {
    return Instant.ofEpochSecond(
        Long.parseLong(world.fake().compute().metadata(lease, Tags.EXPIRES)));
  }
}
