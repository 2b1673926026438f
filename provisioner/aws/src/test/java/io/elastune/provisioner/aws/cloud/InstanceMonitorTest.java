package io.elastune.provisioner.aws.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.CloudEvent.Lost;
import io.elastune.provisioner.CloudEvent.Priced;
import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Running;
import io.elastune.provisioner.CloudEvent.Terminated;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.NodeExpiryLimit;
import io.elastune.provisioner.SampleLeaseRequests;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.TestCloud;
import io.elastune.provisioner.TestWait;
import io.elastune.provisioner.aws.fake.Fault;
import io.elastune.provisioner.aws.testing.AwsTestEnvironment;
import io.elastune.provisioner.aws.testing.TestLeaseRequests;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests instance monitoring with the real SDK against the fake EC2. */
class InstanceMonitorTest {
  private static final String LEASE = TestLeaseRequests.RUN + "-1";

  @Order(1)
  @RegisterExtension
  private final AwsTestEnvironment world = new AwsTestEnvironment();

  @Order(2)
  @RegisterExtension
  private final TestCloud testCloud = new TestCloud(world::open);

  @Test
  void unknownInstanceIsLostAndTerminated() {
    testCloud.ready(TestLeaseRequests.of(LEASE));
    world.fake().ec2().removeNewest(LEASE);
    testCloud.until(() -> testCloud.events().has(Terminated.class, LEASE));
    assertThat(course()).containsExactly(Running.class, Ready.class, Lost.class, Terminated.class);
  }

  /** EC2 describes ended instances for an hour. After it, whether they ran is unknown. */
  @Test
  void leaseThatMayBeForgottenIsBilledUntilItsShutdown() {
    Instant asked = AwsTestEnvironment.TIME.instant().minus(Duration.ofHours(2));
    LeaseRequest request = adopted(asked);

    testCloud.cloud().adopt(request);

    testCloud.until(() -> testCloud.events().has(Terminated.class, LEASE));
    Terminated end = testCloud.events().first(Terminated.class, LEASE);
    assertThat(end.running()).contains(asked);
    assertThat(end.at())
        .isBetween(asked.plus(request.deadMan()), asked.plus(request.deadMan()).plusSeconds(600));
  }

  @Test
  void absenceOfLaterRequestIsProof() {
    testCloud.cloud().adopt(adopted(AwsTestEnvironment.TIME.instant().minusSeconds(600)));

    testCloud.until(() -> testCloud.events().has(Terminated.class, LEASE));
    assertThat(testCloud.events().first(Terminated.class, LEASE).running()).isEmpty();
  }

  @Test
  void endedInstanceIsBilledAlthoughItsReleaseIsRequestedFirst() {
    testCloud.ready(TestLeaseRequests.of(LEASE));
    Instant running = testCloud.events().first(Running.class, LEASE).at();
    world.fake().ec2().shutDown(LEASE);

    testCloud.reopen();
    testCloud.cloud().release(LEASE);

    testCloud.until(() -> testCloud.events().has(Terminated.class, LEASE));
    assertThat(testCloud.events().first(Terminated.class, LEASE).running()).contains(running);
  }

  private static LeaseRequest adopted(Instant asked) {
    return SampleLeaseRequests.requestedAt(TestLeaseRequests.of(LEASE), asked);
  }

  /** As in moto, which publishes an instance before it records its market. */
  @Test
  void acceptsMarketThatIsDescribedLate() {
    world.fake().ec2().omitLifecycle(1);
    testCloud.ready(spot());
    assertThat(course()).containsExactly(Running.class, Ready.class);
  }

  @Test
  void instanceOfAnotherMarketIsLost() {
    world.fake().ec2().omitLifecycle(Integer.MAX_VALUE);
    testCloud.cloud().request(spot());
    testCloud.until(() -> testCloud.events().has(Lost.class, LEASE));
    assertThat(course()).containsExactly(Running.class, Lost.class);
    assertThat(testCloud.events().first(Lost.class, LEASE).message())
        .isEqualTo("EC2 created on-demand g5.xlarge instead of spot g5.xlarge; releasing it");
  }

  private static LeaseRequest spot() {
    return TestLeaseRequests.of(LEASE, "aws/us-east-1", "g5.xlarge", Market.SPOT);
  }

  @Test
  void keepsTemporarilyUnlistedInstance() {
    testCloud.ready(TestLeaseRequests.of(LEASE));
    world.fake().faults(a -> a.equals("DescribeInstances") ? Fault.EMPTY : Fault.NONE);
    TestWait.pause(AwsTestEnvironment.FAST.listingDelay().dividedBy(2));
    world.fake().faults(action -> Fault.NONE);
    TestWait.pause(AwsTestEnvironment.FAST.listingDelay().multipliedBy(2));
    assertThat(course()).containsExactly(Running.class, Ready.class);
  }

  @Test
  void terminatesDuplicateInstance() {
    testCloud.ready(TestLeaseRequests.of(LEASE));
    String other = world.fake().ec2().add("g5.xlarge", world.fake().ec2().tags(LEASE));
    TestWait.pause(Duration.ofMillis(300));
    testCloud.until(() -> world.fake().ec2().runningLeases().size() == 1);
    assertThat(world.fake().ec2().stateOf(other)).isEqualTo("terminated");
    assertThat(course()).containsExactly(Running.class, Ready.class);
  }

  /** Existing nodes receive the limit at once, later ones as soon as they run. */
  @Test
  void tagsNodesToEndWithinBudget() {
    String later = TestLeaseRequests.RUN + "-2";
    Instant soon =
        AwsTestEnvironment.TIME.instant().plusSeconds(300).truncatedTo(ChronoUnit.SECONDS);
    testCloud.cloud().request(TestLeaseRequests.of(LEASE));
    testCloud.until(() -> testCloud.events().has(Ready.class, LEASE));
    assertThat(expires(LEASE)).isAfter(soon);

    testCloud.cloud().limitNodeExpiry(new NodeExpiryLimit(soon, Map.of()));
    testCloud.cloud().request(TestLeaseRequests.of(later));

    testCloud.until(() -> expires(LEASE).equals(soon));
    testCloud.until(() -> testCloud.events().has(Ready.class, later));
    testCloud.until(() -> expires(later).equals(soon));
    testCloud.cloud().limitNodeExpiry(NodeExpiryLimit.NONE);
    testCloud.until(() -> expires(LEASE).isAfter(soon) && expires(later).isAfter(soon));
  }

  /** The launch call itself sets the expiry, in case the controller stops right after it. */
  @Test
  void launchSetsExpiryFromStartOfNode() {
    Duration most = Duration.ofSeconds(100);
    Instant before = AwsTestEnvironment.TIME.instant().truncatedTo(ChronoUnit.SECONDS);
    testCloud.cloud().limitNodeExpiry(new NodeExpiryLimit(before, Map.of(LEASE, most)));
    testCloud.ready(TestLeaseRequests.of(LEASE));
    Instant after = AwsTestEnvironment.TIME.instant();

    assertThat(firstExpiry(LEASE)).isBetween(before.plus(most), after.plus(most));
    assertThat(expires(LEASE)).isBetween(before.plus(most), after.plus(most));
    testCloud.cloud().limitNodeExpiry(new NodeExpiryLimit(after.plusSeconds(200), Map.of()));
    testCloud.until(
        () -> expires(LEASE).equals(after.plusSeconds(200).truncatedTo(ChronoUnit.SECONDS)));
  }

  @Test
  void renewsManyNodesWithOneCall() {
    List<String> leases =
        IntStream.range(1, 6).mapToObj(i -> TestLeaseRequests.RUN + "-" + i).toList();
    leases.forEach(
        lease ->
            testCloud
                .cloud()
                .request(
                    SampleLeaseRequests.withDeadMan(
                        TestLeaseRequests.of(lease), Duration.ofSeconds(4))));
    testCloud.until(
        () -> leases.stream().allMatch(lease -> testCloud.events().has(Ready.class, lease)));
    String before = world.fake().ec2().tags(LEASE).get(Tags.EXPIRES);
    testCloud.until(() -> !world.fake().ec2().tags(LEASE).get(Tags.EXPIRES).equals(before));

    assertThat(world.fake().calls("CreateTags")).isLessThanOrEqualTo(leases.size());
    assertThat(Long.parseLong(world.fake().ec2().tags(LEASE).get(Tags.EXPIRES)))
        .isGreaterThan(AwsTestEnvironment.TIME.instant().getEpochSecond());
  }

  /** The earlier expiry of existing nodes pays for a new one: they must receive it first. */
  @Test
  void launchWaitsForRenewedExpiryTags() {
    String later = TestLeaseRequests.RUN + "-2";
    Instant soon =
        AwsTestEnvironment.TIME.instant().plusSeconds(300).truncatedTo(ChronoUnit.SECONDS);
    testCloud.ready(TestLeaseRequests.of(LEASE));
    world.fake().faults(action -> action.equals("CreateTags") ? Fault.THROTTLED : Fault.NONE);
    testCloud
        .cloud()
        .limitNodeExpiry(new NodeExpiryLimit(soon, Map.of(later, Duration.ofMinutes(5))));
    testCloud.cloud().request(TestLeaseRequests.of(later));
    testCloud.until(() -> world.fake().calls("CreateTags") >= 3);
    assertThat(world.fake().calls("RunInstances")).isEqualTo(1);

    world.fake().faults(action -> Fault.NONE);
    testCloud.until(() -> world.fake().calls("RunInstances") == 2);
    assertThat(expires(LEASE)).isEqualTo(soon);
    testCloud.until(() -> testCloud.events().has(Ready.class, later));
  }

  private Instant firstExpiry(String lease) {
    Map<String, String> order = world.fake().ec2().launchCall(lease);
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

  /** The events of the lease except its price, which may arrive at any time. */
  private List<Class<?>> course() {
    return testCloud.events().types(LEASE).stream()
        .filter(kind -> !kind.equals(Priced.class))
        .toList();
  }
}
