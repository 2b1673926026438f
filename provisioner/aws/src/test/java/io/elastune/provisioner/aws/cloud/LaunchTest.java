package io.elastune.provisioner.aws.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudEvent.Lost;
import io.elastune.provisioner.CloudEvent.Priced;
import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Refused;
import io.elastune.provisioner.CloudEvent.Running;
import io.elastune.provisioner.CloudEvent.Terminated;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.LifeLimit;
import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.RecordedEvents;
import io.elastune.provisioner.Refusal;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.aws.fake.Fault;
import io.elastune.provisioner.aws.testing.AwsWorld;
import io.elastune.provisioner.aws.testing.Requests;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How instances come and go, with the real SDK against the fake. */
class LaunchTest {
  private static final String LEASE = Requests.RUN + "-1";

  @RegisterExtension private final AwsWorld world = new AwsWorld();
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
  void theLaunchingCallItselfTagsAndLocksDownTheNode() {
    ready(Requests.of(LEASE));
    Map<String, String> order = world.fake().ec2().order(LEASE);

    assertThat(world.fake().ec2().tags(LEASE))
        .containsEntry(Tags.RUN, Requests.RUN)
        .containsEntry(Tags.OWNER, "tester")
        .containsEntry(Tags.LEASE, LEASE)
        .containsKeys(Tags.EXPIRES, "Name");
    assertThat(order)
        .containsEntry("TagSpecification.2.ResourceType", "volume")
        .containsEntry("InstanceInitiatedShutdownBehavior", "terminate")
        .containsEntry("MetadataOptions.HttpTokens", "required")
        .containsEntry("MetadataOptions.InstanceMetadataTags", "enabled")
        .containsEntry("ImageId", "ami-01")
        .containsEntry("SubnetId", "subnet-0a")
        .containsEntry("SecurityGroupId.1", "sg-01")
        .containsEntry("IamInstanceProfile.Name", "elastune-node")
        .containsEntry("MaxCount", "1")
        .containsEntry("MinCount", "1");
    assertThat(world.fake().calls("CreateTags")).isZero();
  }

  @Test
  void whereAZoneHasNoCapacityTheNextIsAskedAndTheFirstIsRememberedForAWhile() {
    world.fake().ec2().pool("g5.xlarge", "us-east-1a", 0);
    ready(Requests.of(LEASE));
    assertThat(world.fake().ec2().order(LEASE))
        .containsEntry("Placement.AvailabilityZone", "us-east-1b")
        .containsEntry("SubnetId", "subnet-0b");
    assertThat(world.fake().calls("RunInstances")).isEqualTo(2);

    ready(Requests.of(Requests.RUN + "-2"));
    assertThat(world.fake().calls("RunInstances")).isEqualTo(3);
  }

  @Test
  void aZoneIsAskedAgainOnceTheMemoryHasExpired() {
    world.fake().ec2().pool("g5.xlarge", "us-east-1a", 0);
    ready(Requests.of(LEASE));
    world.fake().ec2().pool("g5.xlarge", "us-east-1a", 5);
    AwsWorld.pause(AwsWorld.HURRY.remember());
    ready(Requests.of(Requests.RUN + "-2"));
    assertThat(world.fake().ec2().order(Requests.RUN + "-2"))
        .containsEntry("Placement.AvailabilityZone", "us-east-1a");
  }

  @Test
  void withoutCapacityAnywhereItIsRefusedWithWhatEc2Said() {
    world.fake().ec2().pool("g5.xlarge", "us-east-1a", 0);
    world.fake().ec2().pool("g5.xlarge", "us-east-1b", 0);
    Refused refused = refused(Requests.of(LEASE));

    assertThat(refused.refusal()).isEqualTo(Refusal.CAPACITY);
    assertThat(refused.message())
        .contains("g5.xlarge", "any zone of aws/us-east-1", "InsufficientInstanceCapacity");
    assertThat(world.fake().ec2().ever()).isEmpty();
  }

  @Test
  void anOfferOfAZoneIsLaunchedThereOnly() {
    world.fake().ec2().pool("g5.xlarge", "us-east-1b", 0);
    Refused refused =
        refused(Requests.of(LEASE, "aws/us-east-1/us-east-1b", "g5.xlarge", Market.ON_DEMAND));

    assertThat(refused.refusal()).isEqualTo(Refusal.CAPACITY);
    assertThat(world.fake().calls("RunInstances")).isEqualTo(1);
  }

  @Test
  void aQuotaIsNamed() {
    world.fake().ec2().quota(0);
    Refused refused = refused(Requests.of(LEASE));

    assertThat(refused.refusal()).isEqualTo(Refusal.QUOTA);
    assertThat(refused.message()).contains("Running On-Demand G and VT instances", "L-DB2E81BA");
  }

  @Test
  void aMissingPermissionIsNamed() {
    world.fake().deny(Set.of("ec2:RunInstances"));
    Refused refused = refused(Requests.of(LEASE));

    assertThat(refused.refusal()).isEqualTo(Refusal.PERMISSION);
    assertThat(refused.message()).contains("may not ec2:RunInstances");
  }

  @Test
  void aRegionWithoutSettingsIsRefused() {
    Refused refused = refused(Requests.of(LEASE, "aws/eu-west-1", "g5.xlarge", Market.ON_DEMAND));
    assertThat(refused.refusal()).isEqualTo(Refusal.INVALID);
    assertThat(refused.message()).contains("clouds.yaml has no region eu-west-1");
  }

  @Test
  void noSecretIsPutIntoUserData() {
    LeaseRequest plain = Requests.of(LEASE);
    NodeSetup setup = new NodeSetup("true", "/work", Map.of("TOKEN", "s3cret"), "");
    Refused refused = refused(Requests.withSetup(plain, setup));
    assertThat(refused.refusal()).isEqualTo(Refusal.INVALID);
    assertThat(refused.message()).contains("user data").doesNotContain("s3cret");
  }

  /** What replaces an instance is requested as soon as that is given back. */
  @Test
  void aQuotaThatWhatIsJustEndingUsesUpIsWaitedFor() {
    AtomicBoolean first = new AtomicBoolean(true);
    String other = Requests.RUN + "-7";
    world.fake().ec2().quota(1);
    ready(Requests.of(LEASE));
    world
        .fake()
        .faults(
            call ->
                call.equals("TerminateInstances") && first.getAndSet(false)
                    ? Fault.LOST_BEFORE
                    : Fault.NONE);
    cloud.release(LEASE);
    ready(Requests.of(other));
    until(() -> events.has(Terminated.class, LEASE));
    assertThat(events.has(Refused.class, other)).isFalse();
  }

  @Test
  void onDemandThePriceIsTheListsAndThereIsNoNotice() {
    world.fake().market().onDemand("g5.xlarge", 1.25);
    ready(Requests.of(LEASE));
    until(() -> events.has(Priced.class, LEASE));
    assertThat(events.first(Priced.class, LEASE).usdPerHour()).isEqualTo(1.25);
    assertThat(events.kinds(LEASE))
        .containsExactlyInAnyOrder(Running.class, Priced.class, Ready.class);
    assertThat(world.fake().calls("DescribeSpotInstanceRequests")).isZero();
  }

  @Test
  void thePriceListIsReadOnceForAllLeases() {
    ready(Requests.of(LEASE));
    until(() -> events.has(Priced.class, LEASE));
    long calls = world.fake().calls("GetProducts");
    String other = Requests.RUN + "-2";
    cloud.request(Requests.of(other));
    until(() -> events.has(Priced.class, other));
    assertThat(world.fake().calls("GetProducts")).isEqualTo(calls);
  }

  @Test
  void whoMayNotReadThePriceListKeepsThePlansPrice() {
    world.fake().deny(Set.of("pricing:GetProducts"));
    ready(Requests.of(LEASE));
    until(() -> world.fake().calls("GetProducts") > 0);
    cloud.release(LEASE);
    until(() -> events.has(Terminated.class, LEASE));
    assertThat(events.has(Priced.class, LEASE)).isFalse();
  }

  @Test
  void aLaunchWhoseAnswerIsLostIsFoundAndNotRepeatedBlindly() {
    AtomicInteger launches = new AtomicInteger();
    world
        .fake()
        .faults(
            action ->
                action.equals("RunInstances") && launches.incrementAndGet() == 1
                    ? Fault.LOST_AFTER
                    : Fault.NONE);
    ready(Requests.of(LEASE));
    assertThat(world.fake().ec2().ever()).containsExactly(LEASE);
  }

  @Test
  void anInstanceThatEc2DoesNotKnowAnyMoreIsLostAndGone() {
    ready(Requests.of(LEASE));
    world.fake().ec2().forget(LEASE);
    until(() -> events.has(Terminated.class, LEASE));
    assertThat(course()).containsExactly(Running.class, Ready.class, Lost.class, Terminated.class);
  }

  @Test
  void anInstanceThatIsNotListedForAWhileIsNotGivenUp() {
    ready(Requests.of(LEASE));
    world.fake().faults(a -> a.equals("DescribeInstances") ? Fault.EMPTY : Fault.NONE);
    AwsWorld.pause(AwsWorld.HURRY.settle().dividedBy(2));
    world.fake().faults(action -> Fault.NONE);
    AwsWorld.pause(AwsWorld.HURRY.settle().multipliedBy(2));
    assertThat(course()).containsExactly(Running.class, Ready.class);
  }

  @Test
  void anInstanceTooManyIsEnded() {
    ready(Requests.of(LEASE));
    String other = world.fake().ec2().add("g5.xlarge", world.fake().ec2().tags(LEASE));
    AwsWorld.pause(Duration.ofMillis(300));
    until(() -> world.fake().ec2().up().size() == 1);
    assertThat(world.fake().ec2().stateOf(other)).isEqualTo("terminated");
    assertThat(course()).containsExactly(Running.class, Ready.class);
  }

  /** Those that are there are told at once, and those that come later as soon as they are up. */
  @Test
  void nodesAreTaggedToEndBeforeTheMoneyRunsOut() {
    String later = Requests.RUN + "-2";
    Instant soon = AwsWorld.TIME.instant().plusSeconds(300).truncatedTo(ChronoUnit.SECONDS);
    cloud.request(Requests.of(LEASE));
    until(() -> events.has(Ready.class, LEASE));
    assertThat(expires(LEASE)).isAfter(soon);

    cloud.limitLives(new LifeLimit(soon, Map.of()));
    cloud.request(Requests.of(later));

    until(() -> expires(LEASE).equals(soon));
    until(() -> events.has(Ready.class, later));
    until(() -> expires(later).equals(soon));
    cloud.limitLives(LifeLimit.NONE);
    until(() -> expires(LEASE).isAfter(soon) && expires(later).isAfter(soon));
  }

  /**
   * The very call that makes it limits its life, in case that nobody is there any more after it.
   */
  @Test
  void aNodeIsLaunchedToEndWhenTheMoneyRunsOutCountedFromItsStart() {
    Duration most = Duration.ofSeconds(100);
    Instant before = AwsWorld.TIME.instant().truncatedTo(ChronoUnit.SECONDS);
    cloud.limitLives(new LifeLimit(before, Map.of(LEASE, most)));
    ready(Requests.of(LEASE));
    Instant after = AwsWorld.TIME.instant();

    assertThat(firstExpiry(LEASE)).isBetween(before.plus(most), after.plus(most));
    assertThat(expires(LEASE)).isBetween(before.plus(most), after.plus(most));
    cloud.limitLives(new LifeLimit(after.plusSeconds(200), Map.of()));
    until(() -> expires(LEASE).equals(after.plusSeconds(200).truncatedTo(ChronoUnit.SECONDS)));
  }

  /** What another costs is paid for by those that are there: they have to know of it first. */
  @Test
  void nothingIsLaunchedBeforeNodesAreTaggedWithTheirNewEnd() {
    String later = Requests.RUN + "-2";
    Instant soon = AwsWorld.TIME.instant().plusSeconds(300).truncatedTo(ChronoUnit.SECONDS);
    ready(Requests.of(LEASE));
    world.fake().faults(action -> action.equals("CreateTags") ? Fault.THROTTLED : Fault.NONE);
    cloud.limitLives(new LifeLimit(soon, Map.of(later, Duration.ofMinutes(5))));
    cloud.request(Requests.of(later));
    until(() -> world.fake().calls("CreateTags") >= 3);
    assertThat(world.fake().calls("RunInstances")).isEqualTo(1);

    world.fake().faults(action -> Fault.NONE);
    until(() -> world.fake().calls("RunInstances") == 2);
    assertThat(expires(LEASE)).isEqualTo(soon);
    until(() -> events.has(Ready.class, later));
  }

  private Instant firstExpiry(String lease) {
    Map<String, String> order = world.fake().ec2().order(lease);
    String key =
        order.entrySet().stream()
            .filter(entry -> entry.getValue().equals(Tags.EXPIRES))
            .map(entry -> entry.getKey().replace(".Key", ".Value"))
            .findFirst()
            .orElseThrow();
    return Instant.ofEpochSecond(Long.parseLong(order.get(key)));
  }

  private Instant expires(String lease) {
    return Instant.ofEpochSecond(Long.parseLong(world.fake().ec2().tags(lease).get(Tags.EXPIRES)));
  }

  @Test
  void theTimeOfManyNodesIsPutOffWithOneCall() {
    List<String> leases = IntStream.range(1, 6).mapToObj(i -> Requests.RUN + "-" + i).toList();
    leases.forEach(
        lease -> cloud.request(Requests.withDeadMan(Requests.of(lease), Duration.ofSeconds(4))));
    until(() -> leases.stream().allMatch(lease -> events.has(Ready.class, lease)));
    String before = world.fake().ec2().tags(LEASE).get(Tags.EXPIRES);
    until(() -> !world.fake().ec2().tags(LEASE).get(Tags.EXPIRES).equals(before));

    assertThat(world.fake().calls("CreateTags")).isLessThanOrEqualTo(leases.size());
    assertThat(Long.parseLong(world.fake().ec2().tags(LEASE).get(Tags.EXPIRES)))
        .isGreaterThan(AwsWorld.TIME.instant().getEpochSecond());
  }

  @Test
  void manyGoUpAndDownWithinTheLimitsOfTheApi() {
    int many = 200;
    world.fake().throttle("RunInstances", 5, 200);
    world.fake().throttle("TerminateInstances", 5, 5);
    world.fake().throttle("DescribeInstances", 100, 20);
    List<String> leases = IntStream.range(0, many).mapToObj(i -> Requests.RUN + "-" + i).toList();
    leases.forEach(lease -> cloud.request(Requests.of(lease)));
    until(() -> leases.stream().allMatch(lease -> events.has(Ready.class, lease)));
    assertThat(world.fake().ec2().most()).isEqualTo(many);
    leases.forEach(cloud::release);
    until(() -> leases.stream().allMatch(lease -> events.has(Terminated.class, lease)));

    assertThat(world.fake().ec2().up()).isEmpty();
    assertThat(world.fake().ec2().ever()).doesNotHaveDuplicates().hasSize(many);
    assertThat(world.fake().calls("RunInstances")).isLessThan(many * 5 / 4);
    assertThat(world.fake().calls("TerminateInstances")).isLessThan(many / 4);
    assertThat(world.fake().ec2().pagesTurned()).isPositive();
  }

  /** What was told of the lease, but for its price, which may come at any time. */
  private List<Class<?>> course() {
    return events.kinds(LEASE).stream().filter(kind -> !kind.equals(Priced.class)).toList();
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
    AwsWorld.until(condition, events);
  }
}
