package io.elastune.provisioner.aws.cloud;

import io.elastune.provisioner.InstanceInfo;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.NodeExpiryLimit;
import io.elastune.provisioner.RefusalReason;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.aws.model.Ec2Instance;
import io.elastune.provisioner.remote.BootMonitor;
import io.elastune.provisioner.remote.ListPoller;
import io.elastune.provisioner.remote.PlacementGroupCleanup;
import io.elastune.provisioner.remote.RateLimit;
import java.time.Duration;
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

/**
 * Rents instances in one region. It repeatedly lists the instances with the run's tag. The lists
 * resolve launches with an unknown outcome and reveal duplicate instances. Used in the event loop
 * only.
 */
final class RegionCloud {
  /** The rate of console queries relative to launches: a node is queried several times. */
  private static final double CONSOLES_PER_LAUNCH = 5;

  private final RegionContext context;

  /** Whether the nodes of all regions have received the current expiry limit. */
  private final BooleanSupplier allReceivedLimit;

  private final Map<String, TrackedLease> trackedLeases = new LinkedHashMap<>();
  private final RunInstanceLister runInstanceLister;
  private final Terminator terminator;
  private final InstanceMonitor instanceMonitor;
  private final SpotInterruptionMonitor spot;
  private final ListReconciler listReconciler;
  private final ExpiryRenewer expiryRenewer;
  private final Launcher launcher;
  private final PlacementGroupCleanup placementGroups;
  private final BootMonitor<TrackedLease> nodes;
  private final ListPoller<List<Ec2Instance>> listPoller;

  RegionCloud(RegionContext context, BooleanSupplier limited) {
    this.context = context;
    this.allReceivedLimit = limited;
    runInstanceLister = new RunInstanceLister(trackedLeases);
    terminator = new Terminator(context);
    spot = new SpotInterruptionMonitor(context);
    instanceMonitor = new InstanceMonitor(context, terminator);
    listReconciler = new ListReconciler(context, instanceMonitor, terminator);
    nodes = nodes(context, instanceMonitor);
    expiryRenewer = new ExpiryRenewer(context);
    launcher = new Launcher(context, expiryRenewer, this::launched, this::isAnyEnding);
    placementGroups =
        new PlacementGroupCleanup(
            context.asyncCaller(), run -> context.ec2().deleteGroups(Tags.RUN, run));
    listPoller =
        new ListPoller<>(
            "EC2 in " + context.region(),
            context.asyncCaller(),
            context.time(),
            context.pace().retryInterval(),
            new ListCallbacks());
  }

  private static BootMonitor<TrackedLease> nodes(
      RegionContext context, InstanceMonitor instanceMonitor) {
    PollingIntervals pollingIntervals = context.pace();
    return new BootMonitor<>(
        context.asyncCaller(),
        context.time(),
        new RateLimit(
            pollingIntervals.burst() * CONSOLES_PER_LAUNCH,
            pollingIntervals.launchesPerSecond() * CONSOLES_PER_LAUNCH),
        new BootMonitor.Timeouts(
            pollingIntervals.pollInterval(),
            pollingIntervals.bootTimeout(),
            pollingIntervals.throttlePause()),
        new ConsoleBootProbe(context, instanceMonitor));
  }

  /** Rents an instance if the lease is new; otherwise continues with its current state. */
  void request(LeaseRequest request) {
    begin(request, TrackedLease.Phase.QUEUED);
  }

  /** Resumes tracking of a lease of an earlier controller; rents nothing. */
  void adopt(LeaseRequest request) {
    begin(request, TrackedLease.Phase.SEARCHING);
  }

  private void begin(LeaseRequest request, TrackedLease.Phase phase) {
    TrackedLease known = trackedLeases.get(request.lease());
    if (known != null) {
      if (!known.isOpen()) {
        context.terminated(known, known.terminatedAt);
      }
      return;
    }
    TrackedLease trackedLease = new TrackedLease(request.lease(), Optional.of(request), phase);
    trackedLease.unlistedSince = context.now();
    trackedLeases.put(request.lease(), trackedLease);
    step();
  }

  /** Returns whether the lease is or was rented in this region. */
  boolean knows(String lease) {
    return trackedLeases.containsKey(lease);
  }

  void release(String lease) {
    TrackedLease trackedLease =
        trackedLeases.computeIfAbsent(
            lease, some -> new TrackedLease(some, Optional.empty(), TrackedLease.Phase.SEARCHING));
    if (!trackedLease.isOpen()) {
      context.terminated(trackedLease, trackedLease.terminatedAt);
      return;
    }
    if (trackedLease.wanted) {
      trackedLease.wanted = false;
      trackedLease.unlistedSince = context.now();
      trackedLease.unlistedCount = 0;
    }
    trackedLease.instance().ifPresent(instance -> instanceMonitor.update(trackedLease, instance));
    listPoller.pollSoon();
    step();
  }

  /** Sets the expiry limit of all nodes. */
  void limitNodeExpiry(NodeExpiryLimit limit) {
    expiryRenewer.limitNodeExpiry(limit, trackedLeases.values());
  }

  /** Requests the instances of a run; {@code answer} is called once the list is reliable. */
  void list(String run, Consumer<List<InstanceInfo>> answer) {
    runInstanceLister.add(
        run, there -> placementGroups.removeIfEmpty(run, there, requests(), answer));
    listPoller.pollSoon();
    step();
  }

  private Stream<LeaseRequest> requests() {
    return trackedLeases.values().stream().flatMap(trackedLease -> trackedLease.request().stream());
  }

  /** Returns whether all nodes that may still run have received the limit. */
  boolean haveAllReceivedLimit() {
    return expiryRenewer.haveAllReceivedLimit(trackedLeases.values());
  }

  private boolean isAnyEnding() {
    return trackedLeases.values().stream().anyMatch(TrackedLease::isEnding);
  }

  /** Runs all operations that are due. */
  void step() {
    boolean mayLaunch = allReceivedLimit.getAsBoolean();
    launcher.launch(
        trackedLeases.values().stream()
            .filter(
                trackedLease ->
                    mayLaunch && trackedLease.in(TrackedLease.Phase.QUEUED) && trackedLease.wanted)
            .filter(trackedLease -> trackedLease.run().filter(listPoller::hasListed).isPresent())
            .filter(trackedLease -> !context.now().isBefore(trackedLease.notBefore))
            .toList());
    terminator.flush();
    expiryRenewer.renew(trackedLeases.values());
    nodes.pollBooting(trackedLeases.values());
    spot.poll(trackedLeases.values());
    pollInstances();
  }

  private void pollInstances() {
    Set<String> runs = new HashSet<>(runInstanceLister.runs());
    Set<String> leasesWithoutRun = new HashSet<>();
    trackedLeases.values().stream()
        .filter(TrackedLease::isOpen)
        .forEach(
            trackedLease ->
                trackedLease
                    .run()
                    .ifPresentOrElse(runs::add, () -> leasesWithoutRun.add(trackedLease.lease())));
    listPoller.poll(runs, leasesWithoutRun);
  }

  /** Processes EC2's lists of the region. */
  private final class ListCallbacks implements ListPoller.Callbacks<List<Ec2Instance>> {
    @Override
    public List<Ec2Instance> list(Set<String> runs, Set<String> leasesWithoutRun) {
      List<Ec2Instance> found = new ArrayList<>();
      if (!runs.isEmpty()) {
        found.addAll(context.ec2().listByTag(Tags.RUN, runs));
      }
      if (!leasesWithoutRun.isEmpty()) {
        found.addAll(context.ec2().listByTag(Tags.LEASE, leasesWithoutRun));
      }
      return found;
    }

    @Override
    public void onList(ListPoller.ListCall listCall, List<Ec2Instance> found) {
      Map<String, List<Ec2Instance>> byLease = new HashMap<>();
      for (Ec2Instance instance : found) {
        instance
            .lease()
            .ifPresent(
                lease -> byLease.computeIfAbsent(lease, l -> new ArrayList<>()).add(instance));
      }
      for (TrackedLease trackedLease : List.copyOf(trackedLeases.values())) {
        if (listCall.covers(trackedLease.lease(), trackedLease.run())) {
          listReconciler.reconcile(
              trackedLease, byLease.getOrDefault(trackedLease.lease(), List.of()), listCall.at());
        }
      }
      runInstanceLister.answer(listCall.runs(), found);
    }

    @Override
    public Duration pollInterval() {
      return isIdle() ? context.pace().idlePollInterval() : context.pace().pollInterval();
    }

    @Override
    public void afterList() {
      RegionCloud.this.step();
    }

    /** Refuses queued launches: an instance that cannot be listed is not launched. */
    @Override
    public void onListForbidden(String message) {
      List.copyOf(trackedLeases.values()).stream()
          .filter(
              trackedLease ->
                  trackedLease.in(TrackedLease.Phase.QUEUED) && trackedLease.launchRequest == null)
          .forEach(
              trackedLease -> launcher.refuse(trackedLease, RefusalReason.PERMISSION, message));
    }
  }

  private void launched(TrackedLease trackedLease, Ec2Instance instance) {
    boolean known =
        trackedLease.instance().filter(some -> some.id().equals(instance.id())).isPresent();
    if (trackedLease.isOpen()) {
      instanceMonitor.update(trackedLease, instance);
    } else if (!known) {
      listReconciler.terminateDuplicate(trackedLease, instance);
    }
    step();
  }

  /** Returns whether no operation is pending. */
  private boolean isIdle() {
    return runInstanceLister.runs().isEmpty()
        && trackedLeases.values().stream()
            .filter(TrackedLease::isOpen)
            .allMatch(
                trackedLease ->
                    trackedLease.boot().isFinished()
                        && trackedLease.wanted
                        && trackedLease.isRunning());
  }
}
