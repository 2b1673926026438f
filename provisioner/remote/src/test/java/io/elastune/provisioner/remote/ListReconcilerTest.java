package io.elastune.provisioner.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.process.EventLoop;
import io.elastune.provisioner.remote.TrackedLease.Phase;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An instance that is not listed ends a lease only when it cannot exist any more. */
class ListReconcilerTest {
  private static final Instant START = Instant.parse("2026-11-21T08:00:00Z");
  private static final Duration LISTING_DELAY = Duration.ofSeconds(30);
  private static final Duration STEP = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final BlockingQueue<List<?>> terminations = new LinkedBlockingQueue<>();
  private final List<TrackedLease> gaveUp = new ArrayList<>();
  private final List<CloudEvent> events = new ArrayList<>();
  private final EventLoop loop = new EventLoop("test");
  private final AsyncCaller asyncCaller = new AsyncCaller(loop);
  private final PollingIntervals pace =
      new PollingIntervals(
          STEP, STEP, STEP, STEP, LISTING_DELAY, STEP, STEP, PATIENCE, STEP, STEP, STEP, 10, 10);
  private final LeaseContext context =
      new LeaseContext(
          api(),
          asyncCaller,
          () -> START,
          pace,
          new CallLimits(new RateLimit(10, 10), new RateLimit(10, 10), new RateLimit(10, 10)),
          new CloudHealthMonitor("aws", api(), asyncCaller, () -> START, pace, events::add),
          new UnavailableZones(STEP),
          events::add);
  private final Terminator terminator =
      new Terminator(context, new PendingOperations(context), (id, at) -> {});
  private final InstanceMonitor instances =
      new InstanceMonitor(context, terminator, (lease, seen, failure) -> {});
  private final ListReconciler reconciler =
      new ListReconciler(context, instances, terminator, gaveUp::add);
  private final TrackedLease lease = new TrackedLease("r-1", Optional.empty(), Phase.QUEUED);

  /** Records requests to terminate instances, and fails at any other call that blocks. */
  private InstanceApi api() {
    return (InstanceApi)
        Proxy.newProxyInstance(
            InstanceApi.class.getClassLoader(),
            new Class<?>[] {InstanceApi.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "batchSize" -> 1;
                  case "terminate" -> {
                    terminations.add((List<?>) arguments[0]);
                    yield Optional.empty();
                  }
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  @AfterEach
  void close() {
    asyncCaller.close();
    loop.close();
  }

  @Test
  void launchWithUnknownOutcomeIsRepeatedAfterTwoLists() {
    lease.startSearch(Phase.UNKNOWN, START);
    list(1);
    assertThat(lease.phase).isEqualTo(Phase.UNKNOWN);
    list(2);
    assertThat(lease.phase).isEqualTo(Phase.QUEUED);
    assertThat(events).isEmpty();
  }

  /** Three lists are enough only if they cover the delay of the cloud's lists. */
  @Test
  void releasedLaunchWithUnknownOutcomeEndsAfterTheListingDelay() {
    lease.startSearch(Phase.UNKNOWN, START);
    lease.wanted = false;
    list(0);
    list(1);
    list(2);
    assertThat(lease.phase).isEqualTo(Phase.UNKNOWN);
    list(3);
    assertThat(lease.phase).isEqualTo(Phase.TERMINATED);
    assertThat(events).containsExactly(new CloudEvent.Terminated("r-1", START));
  }

  @Test
  void launchWithUnknownOutcomeIsRepeatedUntilItIsGivenUp() {
    lease.unknownSince = START;
    lease.startSearch(Phase.UNKNOWN, START);
    list(0);
    list(11);
    assertThat(lease.phase).isEqualTo(Phase.QUEUED);
    assertThat(gaveUp).isEmpty();

    lease.startSearch(Phase.UNKNOWN, START); // the repetition also has an unknown outcome
    list(11);
    list(12); // it is not repeated any more, and three lists prove that there is no instance
    assertThat(lease.phase).isEqualTo(Phase.UNKNOWN);
    assertThat(gaveUp).isEmpty();
    list(13);
    assertThat(gaveUp).containsExactly(lease);
  }

  /** Its instance may still appear. */
  @Test
  void releasedLeaseWhoseLaunchWasGivenUpEndsOnlyAfterASearch() {
    lease.gaveUpLaunch = true;
    lease.wanted = false;
    list(0);
    assertThat(lease.phase).isEqualTo(Phase.SEARCHING);
    assertThat(events).isEmpty();
  }

  @Test
  void listWithoutAZoneProvesNothing() {
    lease.startSearch(Phase.UNKNOWN, START);
    lease.wanted = false;
    for (int i = 0; i < 9; i++) {
      reconciler.reconcile(lease, List.of(), Set.of("a"), START.plus(STEP.multipliedBy(i)));
    }
    assertThat(lease.phase).isEqualTo(Phase.UNKNOWN);
  }

  @Test
  void listFromBeforeTheSearchDoesNotCount() {
    lease.startSearch(Phase.UNKNOWN, START);
    list(-2);
    list(-1);
    assertThat(lease.phase).isEqualTo(Phase.UNKNOWN);
    assertThat(lease.unlistedCount).isZero();
  }

  @Test
  void leaseThatIsReleasedBeforeItsLaunchEndsAtTheNextList() {
    lease.wanted = false;
    list(0);
    assertThat(events).containsExactly(new CloudEvent.Terminated("r-1", START));
  }

  @Test
  void secondInstanceIsTerminated() throws Exception {
    lease.phase = Phase.CREATED;
    lease.instance = instance("i-1");
    lease.history = InstanceHistory.NONE;
    reconciler.reconcile(lease, List.of(instance("i-1"), instance("i-2")), Set.of(), START);
    terminator.flush();
    assertThat(terminations.poll(1, TimeUnit.MINUTES)).isEqualTo(List.of("i-2"));
    assertThat(terminations).isEmpty();
    assertThat(lease.instanceId()).hasValue("i-1");
  }

  @Test
  void instanceOfATerminatedLeaseIsTerminated() throws Exception {
    lease.phase = Phase.TERMINATED;
    reconciler.reconcile(lease, List.of(instance("i-3")), Set.of(), START);
    terminator.flush();
    assertThat(terminations.poll(1, TimeUnit.MINUTES)).isEqualTo(List.of("i-3"));
  }

  /** A look-up of the instance may be answered after the cloud has confirmed its deletion. */
  @Test
  void lateDescriptionDoesNotReopenALease() {
    lease.phase = Phase.CREATED;
    lease.wanted = false;
    lease.instance = instance("i-1");
    context.terminated(lease, START);
    instances.update(lease, instance("i-1"));
    assertThat(lease.phase).isEqualTo(Phase.TERMINATED);
    assertThat(events).containsExactly(new CloudEvent.Terminated("r-1", START));
  }

  /** Processes an empty list that was requested some steps after the start of the search. */
  private void list(int steps) {
    reconciler.reconcile(lease, List.of(), Set.of(), START.plus(STEP.multipliedBy(steps)));
  }

  private static RemoteInstance instance(String id) {
    return new RemoteInstance(
        id,
        id,
        Optional.of("r-1"),
        Optional.of("r"),
        "g5.xlarge",
        Market.ON_DEMAND,
        "a",
        InstanceStage.PENDING,
        "pending",
        "",
        START,
        Optional.empty());
  }
}
