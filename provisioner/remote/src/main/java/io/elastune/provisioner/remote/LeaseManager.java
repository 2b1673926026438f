package io.elastune.provisioner.remote;

import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.InstanceInfo;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.NodeExpiryLimit;
import io.elastune.provisioner.RefusalReason;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.process.UnexpectedFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Manages the leases of one part of a cloud. It repeatedly lists the instances with the tags of
 * these leases. The lists resolve launches with an unknown outcome, reveal duplicate instances, and
 * prove ends. Used in the event loop only.
 */
final class LeaseManager implements Launcher.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseManager.class);

  private final LeaseContext context;

  /** Whether the nodes of all parts of the cloud have received the current expiry limit. */
  private final BooleanSupplier allReceivedLimit;

  private final Map<String, TrackedLease> leases = new LinkedHashMap<>();
  private final RunInstanceLister runInstanceLister = new RunInstanceLister(leases);
  private final PendingOperations pendingOperations;
  private final Terminator terminator;
  private final InstanceMonitor instanceMonitor;
  private final SpotInterruptionMonitor spot;
  private final ListReconciler listReconciler;
  private final ExpiryRenewer expiryRenewer;
  private final LaunchRefusals refusals;
  private final Launcher launcher;
  private final HistoryReader historyReader;
  private final PlacementGroupCleanup placementGroups;
  private final BootMonitor bootMonitor;
  private final ListPoller listPoller;

  LeaseManager(LeaseContext context, BooleanSupplier allReceivedLimit) {
    this.context = context;
    this.allReceivedLimit = allReceivedLimit;
    pendingOperations = new PendingOperations(context);
    terminator = new Terminator(context, pendingOperations, this::terminationAnswered);
    instanceMonitor = new InstanceMonitor(context, terminator, this::failAfterLaunch);
    spot = new SpotInterruptionMonitor(context, instanceMonitor);
    expiryRenewer = new ExpiryRenewer(context, pendingOperations);
    refusals = new LaunchRefusals(context, this::isAnyEnding);
    launcher = new Launcher(context, pendingOperations, expiryRenewer, this, refusals);
    listReconciler = new ListReconciler(context, instanceMonitor, terminator, launcher::giveUp);
    historyReader = new HistoryReader(context, pendingOperations, this::onCreated);
    placementGroups = new PlacementGroupCleanup(context.asyncCaller(), context.api()::deleteGroups);
    bootMonitor = new BootMonitor(context, instanceMonitor);
    listPoller = new ListPoller(context, new ListCallbacks());
  }

  /** Rents an instance if the lease is new; otherwise continues with its current state. */
  void request(LeaseRequest request) {
    begin(request, TrackedLease.Phase.QUEUED);
  }

  /**
   * Resumes tracking of a lease of an earlier controller; rents nothing. The events of a lease that
   * is tracked already are reported again.
   */
  void adopt(LeaseRequest request) {
    TrackedLease known = leases.get(request.lease());
    if (known != null && known.isOpen()) {
      instanceMonitor.repeatRunning(known);
      bootMonitor.repeat(known);
    } else {
      begin(request, TrackedLease.Phase.SEARCHING);
    }
  }

  private void begin(LeaseRequest request, TrackedLease.Phase phase) {
    TrackedLease known = leases.get(request.lease());
    if (known != null) {
      if (!known.isOpen()) {
        context.terminated(known, known.terminatedAt);
      }
      return;
    }
    leases.put(request.lease(), create(request.lease(), Optional.of(request), phase));
    step();
  }

  private TrackedLease create(String id, Optional<LeaseRequest> request, TrackedLease.Phase phase) {
    TrackedLease lease = new TrackedLease(id, request, phase);
    lease.unlistedSince = context.now();
    lease.history = context.api().recordsHistory() ? null : InstanceHistory.NONE;
    return lease;
  }

  /** Returns whether the lease is or was rented here. */
  boolean knows(String lease) {
    return leases.containsKey(lease);
  }

  void release(String id) {
    TrackedLease lease =
        leases.computeIfAbsent(
            id, some -> create(some, Optional.empty(), TrackedLease.Phase.SEARCHING));
    if (!lease.isOpen()) {
      context.terminated(lease, lease.terminatedAt);
      return;
    }
    if (lease.wanted) {
      lease.release(context.now());
      lease.unlistedSince = context.now();
      lease.unlistedCount = 0;
      terminate(lease);
    }
    listPoller.pollSoon();
    step();
  }

  /** Makes later launches prefer another zone than that of a node that could not become ready. */
  void avoidNode(String id) {
    Optional.ofNullable(leases.get(id)).ifPresent(context::avoidZone);
  }

  /** Reports the node of a lease as ready if it is booting. */
  void confirmBoot(String id) {
    Optional.ofNullable(leases.get(id)).ifPresent(bootMonitor::confirm);
  }

  /** Terminates the instance of a lease, or the one that is being created. */
  private void terminate(TrackedLease lease) {
    if (lease.instance().isPresent()) {
      lease.instance().ifPresent(instance -> instanceMonitor.update(lease, instance));
    } else if (lease.in(TrackedLease.Phase.CREATING) || lease.in(TrackedLease.Phase.CREATED)) {
      lease.creation().ifPresent(some -> terminator.terminate(some.instance(), some.name()));
    }
  }

  private void terminationAnswered(String id, Optional<Instant> at) {
    leases.values().stream()
        .filter(lease -> lease.isOpen() && lease.isInstance(id))
        .forEach(lease -> lease.deletedAt = at.orElse(lease.deletedAt));
    listPoller.pollSoon();
  }

  /** Sets the expiry limit of all nodes until another limit is set. */
  void limitNodeExpiry(NodeExpiryLimit limit) {
    expiryRenewer.limitNodeExpiry(limit, leases.values());
  }

  /** Returns whether all nodes that may still run have received the limit. */
  boolean haveAllReceivedLimit() {
    return expiryRenewer.haveAllReceivedLimit(leases.values());
  }

  /** Requests the instances of a run; {@code answer} is called once the list is reliable. */
  void list(String run, Consumer<List<InstanceInfo>> answer) {
    runInstanceLister.add(
        run, there -> placementGroups.removeIfEmpty(run, there, requests(), answer));
    listPoller.pollSoon();
    step();
  }

  private Stream<LeaseRequest> requests() {
    return leases.values().stream().flatMap(lease -> lease.request().stream());
  }

  private boolean isAnyEnding() {
    return leases.values().stream().anyMatch(TrackedLease::isEnding);
  }

  /** Does all work that is due. What fails is done again later, and delays nothing else. */
  void step() {
    repeatedly("Reading histories", () -> historyReader.readPending(leases.values()));
    repeatedly("Launching", this::launch);
    repeatedly("Polling operations", pendingOperations::poll);
    repeatedly("Terminating", terminator::flush);
    repeatedly("Renewing the expiry", () -> expiryRenewer.renew(leases.values()));
    repeatedly("Watching boots", () -> bootMonitor.poll(leases.values()));
    repeatedly("Watching interruptions", () -> spot.poll(leases.values()));
    repeatedly("Listing", this::pollLists);
    repeatedly("Watching the cloud", () -> context.health().poll(leases.values()));
  }

  private void repeatedly(String what, Runnable task) {
    context.asyncCaller().runRepeated(what, task);
  }

  private void launch() {
    if (allReceivedLimit.getAsBoolean()) {
      launcher.launch(
          leases.values().stream()
              .filter(lease -> lease.in(TrackedLease.Phase.QUEUED) && lease.wanted)
              .filter(lease -> lease.run().filter(listPoller::hasListed).isPresent())
              .filter(lease -> !context.now().isBefore(lease.notBefore))
              .toList());
    }
  }

  /**
   * Gives a lease up whose instance cannot be understood. The controller releases it, and its end
   * is confirmed or not as usual.
   */
  private void broken(TrackedLease lease, Throwable error) {
    if (lease.isOpen() && lease.wanted && !lease.reportedLost) {
      String message = UnexpectedFailure.text(LOG, "lease " + lease.id(), error);
      instanceMonitor.markLost(lease, LossReason.FAILED, message);
    }
  }

  private void pollLists() {
    Set<String> runs = new HashSet<>(runInstanceLister.runs());
    Set<String> leasesWithoutRun = new HashSet<>();
    leases.values().stream()
        .filter(TrackedLease::isOpen)
        .forEach(
            lease ->
                lease.run().ifPresentOrElse(runs::add, () -> leasesWithoutRun.add(lease.id())));
    listPoller.poll(runs, leasesWithoutRun);
  }

  /** Processes the cloud's lists. */
  private final class ListCallbacks implements ListPoller.Callbacks {
    @Override
    public InstanceList list(Set<String> runs, Set<String> leasesWithoutRun) {
      List<RemoteInstance> found = new ArrayList<>();
      Set<String> unreachable = new HashSet<>();
      Map<String, Set<String>> queries = Map.of(Tags.RUN, runs, Tags.LEASE, leasesWithoutRun);
      queries.forEach(
          (tag, values) -> {
            if (!values.isEmpty()) {
              InstanceList some = context.api().list(tag, values);
              found.addAll(some.instances());
              unreachable.addAll(some.unreachableZones());
            }
          });
      return new InstanceList(found, unreachable);
    }

    @Override
    public void onList(ListPoller.ListCall listCall, InstanceList found) {
      Map<String, List<RemoteInstance>> byLease = new HashMap<>();
      for (RemoteInstance instance : found.instances()) {
        instance
            .lease()
            .ifPresent(
                lease -> byLease.computeIfAbsent(lease, id -> new ArrayList<>()).add(instance));
      }
      for (TrackedLease lease : List.copyOf(leases.values())) {
        if (listCall.covers(lease.id(), lease.run())) {
          List<RemoteInstance> own = byLease.getOrDefault(lease.id(), List.of());
          context
              .asyncCaller()
              .run(
                  error -> broken(lease, error),
                  () ->
                      listReconciler.reconcile(
                          lease, own, found.unreachableZones(), listCall.at()));
        }
      }
      runInstanceLister.answer(listCall.runs(), found);
    }

    @Override
    public Duration pollInterval() {
      return LeaseManager.this.pollInterval();
    }

    @Override
    public void afterList() {
      LeaseManager.this.step();
    }

    /** Refuses queued launches: an instance that cannot be listed is not launched. */
    @Override
    public void onListForbidden(CloudFailure.Permission failure) {
      List.copyOf(leases.values()).stream()
          .filter(lease -> lease.in(TrackedLease.Phase.QUEUED) && lease.launch == null)
          .filter(lease -> !context.health().awaitsLogin(failure, lease.deadMan()))
          .forEach(lease -> refusals.refuse(lease, RefusalReason.PERMISSION, failure.message()));
    }
  }

  @Override
  public void onLaunched(TrackedLease lease, RemoteInstance instance) {
    instanceMonitor.update(lease, instance);
  }

  private void failAfterLaunch(TrackedLease lease, RemoteInstance seen, CloudFailure failure) {
    launcher.failAfterLaunch(lease, seen, failure);
  }

  @Override
  public void onCreated(TrackedLease lease) {
    if (!lease.wanted) {
      terminate(lease);
    }
    if (lease.instance().isEmpty()) {
      lease.instanceId().ifPresent(id -> instanceMonitor.lookUpMissing(lease, id, context.now()));
      listPoller.pollSoon();
    }
    step();
  }

  private Duration pollInterval() {
    boolean isIdle =
        runInstanceLister.runs().isEmpty()
            && leases.values().stream()
                .filter(TrackedLease::isOpen)
                .allMatch(lease -> lease.boot().isFinished() && lease.wanted && lease.isRunning());
    if (!isIdle) {
      return context.pace().pollInterval();
    }
    boolean isAnySpot =
        leases.values().stream().anyMatch(lease -> lease.isOpen() && lease.isSpot());
    return isAnySpot ? context.pace().spotPollInterval() : context.pace().idlePollInterval();
  }
}
