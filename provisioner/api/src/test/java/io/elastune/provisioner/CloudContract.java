package io.elastune.provisioner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.core.Spread;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.properties.InjectedFaults;
import io.elastune.core.properties.InjectedFaults.Kind;
import io.elastune.core.properties.Tier;
import io.elastune.provisioner.CloudEvent.Listed;
import io.elastune.provisioner.CloudEvent.Lost;
import io.elastune.provisioner.CloudEvent.PreparationFailed;
import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Refused;
import io.elastune.provisioner.CloudEvent.Running;
import io.elastune.provisioner.CloudEvent.Terminated;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the guarantees of every cloud provider. The test of each provider inherits this suite. */
public abstract class CloudContract {
  /** Unique per JVM: real providers find instances by it, also those of other tests. */
  protected static final String RUN =
      "contract-20261120-" + UUID.randomUUID().toString().substring(0, 4);

  protected static final String LEASE = RUN + "-1";
  protected static final int GPUS = 2;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Providers that poll have many tasks: some of them fail. */
  private static final int MOST_FAULTS = Tier.runs(24, 600);

  private static final Duration STEP = Duration.ofMillis(20);

  /** The steps after which a release is repeated. */
  private static final int REPEAT_EVERY = 100;

  protected final RecordedEvents events = new RecordedEvents();
  protected Cloud cloud;

  /** The events of the cloud that is open now. */
  private RecordedEvents currentEvents = events;

  /** Opens a cloud of the provider with no instances. */
  protected abstract Cloud open(Consumer<CloudEvent> consumer) throws Exception;

  /** Advances time, real or simulated. */
  protected abstract void advance(Duration time);

  /** Returns the infra of the requested offers. */
  protected abstract String infra();

  /** Returns a setup that succeeds if {@code exit} is 0, or writes {@code output} and fails. */
  protected abstract NodeSetup setup(String output, int exit);

  @BeforeEach
  void openCloud() throws Exception {
    cloud = open(events);
  }

  @AfterEach
  void releaseEverything() {
    currentEvents.leases().forEach(cloud::release);
    until(
        () ->
            currentEvents.leases().stream()
                .allMatch(lease -> currentEvents.has(Terminated.class, lease)));
    cloud.close();
  }

  @Test
  void requestedInstanceRunsThenIsReady() {
    cloud.request(request(LEASE, 0.05, 0.05, Optional.empty()));
    until(() -> events.has(Ready.class, LEASE));

    assertThat(events.types(LEASE)).containsExactly(Running.class, Ready.class);
    assertThat(events.first(Ready.class, LEASE).node().slots()).hasSize(GPUS);
    assertThat(events.first(Running.class, LEASE).at())
        .isBefore(events.first(Ready.class, LEASE).at());
  }

  /**
   * Opens a cloud with a task before each of its tasks for a lease, which may throw; empty if its
   * calls are tested elsewhere.
   */
  protected Optional<Cloud> openWithFaults(Runnable beforeTask, Consumer<CloudEvent> consumer)
      throws Exception {
    return Optional.empty();
  }

  /** An exception or error anywhere in the work on a lease is an outcome of this lease. */
  @Test
  void everyLeaseHasAnOutcomeWhateverFailsInTheProvider() throws Exception {
    InjectedFaults faults = new InjectedFaults();
    RecordedEvents found = new RecordedEvents();
    Optional<Cloud> faulty = openWithFaults(faults, found);
    assumeTrue(faulty.isPresent(), "its calls are tested elsewhere");
    try (Cloud other = faulty.orElseThrow()) {
      end(other, found, RUN + "-100");
      int tasks = faults.tasks();
      int stride = 1 + (tasks - 1) / MOST_FAULTS;
      for (int task = 1; task <= tasks; task += stride) {
        faults.failAt(task, Kind.of(task / stride));
        end(other, found, RUN + "-" + (100 + task));
      }
      faults.failAt(0, Kind.EXCEPTION);

      assertThat(faults.injected()).isGreaterThan(tasks / stride / 2);
      end(other, found, RUN + "-9999");
      assertThat(found.has(Ready.class, RUN + "-9999")).isTrue();
      other.list(RUN);
      until(() -> !found.lists().isEmpty());
      assertThat(found.lists().get(0).instances()).isEmpty();
    }
  }

  /** Requests an instance, and releases it when it is ready, or as soon as it cannot be. */
  private void end(Cloud other, RecordedEvents found, String lease) {
    other.request(request(lease, 0.01, 0.01, Optional.empty()));
    until(
        () ->
            found.has(Ready.class, lease)
                || found.has(PreparationFailed.class, lease)
                || found.has(Lost.class, lease)
                || hasEnded(found, lease));
    for (int wait = 0; !hasEnded(found, lease); wait++) {
      if (wait % REPEAT_EVERY == 0) {
        other.release(lease); // the controller repeats a request without an answer
      }
      assertThat(wait).as("%s", found).isLessThan((int) PATIENCE.dividedBy(STEP));
      advance(STEP);
    }
  }

  private static boolean hasEnded(RecordedEvents found, String lease) {
    return found.has(Terminated.class, lease) || found.has(Refused.class, lease);
  }

  @Test
  void repeatedRequestRentsOnce() {
    cloud.request(request(LEASE, 0.02, 0.02, Optional.empty()));
    cloud.request(request(LEASE, 0.02, 0.02, Optional.empty()));
    until(() -> events.has(Ready.class, LEASE));
    cloud.request(request(LEASE, 0.02, 0.02, Optional.empty()));
    advance(Duration.ofMillis(200));

    assertThat(events.types(LEASE)).containsExactly(Running.class, Ready.class);
    assertThat(list()).hasSize(1);
  }

  @Test
  protected void pendingInstanceNeverRunsAfterRelease() {
    cloud.request(request(LEASE, 600, 0, Optional.empty()));
    cloud.release(LEASE);
    until(() -> events.has(Terminated.class, LEASE));

    assertThat(events.types(LEASE)).containsExactly(Terminated.class);
    assertThat(list()).isEmpty();
  }

  @Test
  protected void bootingInstanceNeverReadyAfterRelease() {
    cloud.request(request(LEASE, 0, 600, Optional.empty()));
    until(() -> events.has(Running.class, LEASE));
    cloud.release(LEASE);
    until(() -> events.has(Terminated.class, LEASE));

    assertThat(events.types(LEASE)).containsExactly(Running.class, Terminated.class);
  }

  @Test
  void releasedInstanceTerminatesAndIsNotListed() {
    cloud.request(request(LEASE, 0, 0, Optional.empty()));
    until(() -> events.has(Ready.class, LEASE));
    cloud.release(LEASE);
    until(() -> events.has(Terminated.class, LEASE));

    assertThat(list()).isEmpty();
    assertThat(events.first(Terminated.class, LEASE).at())
        .isAfterOrEqualTo(events.first(Ready.class, LEASE).at());
  }

  @Test
  void releaseOfUnknownLeaseTerminates() {
    cloud.release("unknown-1");
    until(() -> events.has(Terminated.class, "unknown-1"));

    cloud.request(request(LEASE, 0, 0, Optional.empty()));
    until(() -> events.has(Ready.class, LEASE));
    cloud.release(LEASE);
    until(() -> events.has(Terminated.class, LEASE));
    cloud.release(LEASE);
    until(() -> events.count(Terminated.class, LEASE) == 2);
  }

  @Test
  void pendingInstanceIsListedByRunTag() {
    cloud.request(request(LEASE, 600, 0, Optional.empty()));
    assertThat(list()).extracting(InstanceInfo::lease).containsExactly(LEASE);

    cloud.list("another-20261120-cd34");
    until(() -> events.lists().size() == 2);
    assertThat(events.lists().get(1).instances()).isEmpty();
    cloud.release(LEASE); // it may be found by the next test
    until(() -> events.has(Terminated.class, LEASE));
  }

  @Test
  void instanceIsReadyAfterSetup() {
    cloud.request(request(LEASE, 0, 0, Optional.of(setup("", 0))));
    until(() -> events.has(Ready.class, LEASE));

    assertThat(events.types(LEASE)).containsExactly(Running.class, Ready.class);
  }

  @Test
  void failedSetupReportsOutputAndKeepsInstance() {
    cloud.request(request(LEASE, 0, 0, Optional.of(setup("no such wheel", 3))));
    until(() -> events.has(PreparationFailed.class, LEASE));

    assertThat(events.first(PreparationFailed.class, LEASE).message())
        .contains("3")
        .contains("no such wheel");
    assertThat(list()).extracting(InstanceInfo::lease).containsExactly(LEASE);
    cloud.release(LEASE);
    until(() -> events.has(Terminated.class, LEASE));
    assertThat(events.types(LEASE))
        .containsExactly(Running.class, PreparationFailed.class, Terminated.class);
  }

  @Test
  void severalInstancesAreIndependent() {
    List<String> leases = List.of(RUN + "-1", RUN + "-2", RUN + "-3");
    leases.forEach(lease -> cloud.request(request(lease, 0.01, 0.01, Optional.empty())));
    until(() -> leases.stream().allMatch(lease -> events.has(Ready.class, lease)));
    cloud.release(leases.get(1));
    until(() -> events.has(Terminated.class, leases.get(1)));

    assertThat(list())
        .extracting(InstanceInfo::lease)
        .containsExactlyInAnyOrder(leases.get(0), leases.get(2));
  }

  @Test
  void adoptingUnknownLeaseRentsNothing() {
    cloud.adopt(request(LEASE, 0, 0, Optional.empty()));
    until(() -> events.has(Terminated.class, LEASE));

    assertThat(events.types(LEASE)).containsExactly(Terminated.class);
    assertThat(list()).isEmpty();
  }

  @Test
  void adoptsOrReportsEndOfEarlierInstance() throws Exception {
    LeaseRequest request = request(LEASE, 0, 0, Optional.empty());
    cloud.request(request);
    until(() -> events.has(Ready.class, LEASE));
    RecordedEvents later = reopen();
    cloud.adopt(request);
    until(() -> later.has(Ready.class, LEASE) || later.has(Terminated.class, LEASE));

    assertThat(later.types(LEASE)).hasSize(2).startsWith(Running.class);
    assertThat(later.first(Running.class, LEASE).at())
        .isEqualTo(events.first(Running.class, LEASE).at());
    cloud.release(LEASE);
    until(() -> later.has(Terminated.class, LEASE));
  }

  /** The executor adopts a lease again after an attempt on its instance was lost. */
  @Test
  protected void repeatsStateOfItsOwnInstance() {
    LeaseRequest request = request(LEASE, 0, 0, Optional.empty());
    cloud.request(request);
    until(() -> events.has(Ready.class, LEASE));
    cloud.adopt(request);
    until(() -> events.count(Ready.class, LEASE) == 2);

    assertThat(events.types(LEASE))
        .containsExactly(Running.class, Ready.class, Running.class, Ready.class);
    assertThat(events.all(Running.class, LEASE))
        .extracting(Running::at)
        .containsOnly(events.first(Running.class, LEASE).at());
    assertThat(events.all(Ready.class, LEASE))
        .extracting(Ready::node)
        .containsOnly(events.first(Ready.class, LEASE).node());
    assertThat(list()).hasSize(1);
  }

  @Test
  void reportsTimesOfEndedInstance() throws Exception {
    LeaseRequest request = request(LEASE, 0, 0, Optional.empty());
    cloud.request(request);
    until(() -> events.has(Ready.class, LEASE));
    cloud.release(LEASE);
    until(() -> events.has(Terminated.class, LEASE));
    RecordedEvents later = reopen();
    cloud.adopt(request);
    until(() -> later.has(Terminated.class, LEASE));

    assertThat(later.first(Running.class, LEASE)).isEqualTo(events.first(Running.class, LEASE));
    assertThat(later.first(Terminated.class, LEASE))
        .isEqualTo(events.first(Terminated.class, LEASE));
  }

  /** Opens the cloud as a new controller after the end of the first one. */
  protected RecordedEvents reopen() throws Exception {
    cloud.close();
    currentEvents = new RecordedEvents();
    cloud = open(currentEvents);
    return currentEvents;
  }

  protected LeaseRequest request(
      String lease, double queueS, double bootS, Optional<NodeSetup> setup) {
    Offer offer =
        new Offer(
            infra(),
            "contract",
            "cpu",
            GPUS,
            Market.ON_DEMAND,
            0.1,
            PriceKind.NOTIONAL,
            BillingTerms.BY_THE_SECOND,
            Spread.exactly(queueS),
            Spread.exactly(bootS),
            0,
            0,
            1);
    Map<String, String> tags =
        Map.of(Tags.RUN, RUN, Tags.OWNER, "tester", Tags.LEASE, lease, Tags.EXPIRES, "1795000000");
    return new LeaseRequest(RUN, lease, offer, setup, tags, Duration.ofSeconds(20));
  }

  /** Lists the run's instances. */
  protected List<InstanceInfo> list() {
    int before = events.lists().size();
    cloud.list(RUN);
    until(() -> events.lists().size() > before);
    Listed listed = events.lists().get(before);
    assertThat(listed.run()).isEqualTo(RUN);
    return listed.instances();
  }

  /** Advances time until a condition holds; fails if that takes too long. */
  protected void until(BooleanSupplier condition) {
    for (Duration passed = Duration.ZERO; !condition.getAsBoolean(); passed = passed.plus(STEP)) {
      assertThat(passed).as("timed out; events: %s", events).isLessThan(PATIENCE);
      advance(STEP);
    }
  }
}
