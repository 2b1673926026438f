package io.elastune.provisioner.gcp.cloud;

import io.elastune.provisioner.InstanceInfo;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.NodeExpiryLimit;
import io.elastune.provisioner.RefusalReason;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.gcp.model.GceInstance;
import io.elastune.provisioner.gcp.model.InstanceListing;
import io.elastune.provisioner.gcp.model.ResourceNames;
import io.elastune.provisioner.remote.BootMonitor;
import io.elastune.provisioner.remote.ListPoller;
import io.elastune.provisioner.remote.PlacementGroupCleanup;
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
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Manages all leases in one project. Repeatedly lists the instances by the run's label. The lists
 * resolve insertions with an unknown outcome and reveal duplicate instances. Used only in the event
 * loop.
 */
final class ProjectCloud {
  private final ProjectContext context;
  private final Map<String, TrackedLease> trackedLeases = new LinkedHashMap<>();
  private final RunInstanceLister runInstanceLister;
  private final PendingOperations pendingOperations;
  private final Terminator terminator;
  private final InstanceMonitor instanceMonitor;
  private final BootMonitor<TrackedLease> nodes;
  private final ExpiryRenewer expiryRenewer;
  private final Launcher launcher;
  private final PlacementGroupCleanup groups;
  private final OperationHistoryReader operationHistoryReader;
  private final ListReconciler listReconciler;
  private final ListPoller<InstanceListing> listPoller;

  ProjectCloud(ProjectContext context) {
    this.context = context;
    runInstanceLister = new RunInstanceLister(trackedLeases);
    pendingOperations = new PendingOperations(context);
    terminator = new Terminator(context, pendingOperations, this::gone);
    instanceMonitor = new InstanceMonitor(context, terminator);
    nodes = nodes(context, instanceMonitor);
    expiryRenewer = new ExpiryRenewer(context, pendingOperations);
    launcher =
        new Launcher(context, pendingOperations, expiryRenewer, this::made, this::isAnyEnding);
    groups = new PlacementGroupCleanup(context.asyncCaller(), this::removePolicies);
    operationHistoryReader = new OperationHistoryReader(context, pendingOperations, this::made);
    listReconciler = new ListReconciler(context, instanceMonitor, terminator);
    listPoller =
        new ListPoller<>(
            "Google",
            context.asyncCaller(),
            context.time(),
            context.pace().deleteRetryInterval(),
            new ListCallbacks());
  }

  private static BootMonitor<TrackedLease> nodes(
      ProjectContext context, InstanceMonitor instanceMonitor) {
    PollingIntervals pollingIntervals = context.pace();
    return new BootMonitor<>(
        context.asyncCaller(),
        context.time(),
        context.reads(),
        new BootMonitor.Timeouts(
            pollingIntervals.pollInterval(),
            pollingIntervals.bootTimeout(),
            pollingIntervals.throttlePause()),
        new GuestAttributeBootProbe(context, instanceMonitor));
  }

  /** Requests an instance for a new lease; has no effect for a known one. */
  void request(LeaseRequest request) {
    begin(request, TrackedLease.Phase.QUEUED);
  }

  /** Takes over a lease of an earlier controller, without creating an instance. */
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

  void release(String lease) {
    TrackedLease trackedLease = trackedLeases.get(lease);
    if (trackedLease == null) {
      trackedLease = new TrackedLease(lease, Optional.empty(), TrackedLease.Phase.SEARCHING);
      trackedLeases.put(lease, trackedLease);
    }
    if (!trackedLease.isOpen()) {
      context.terminated(trackedLease, trackedLease.terminatedAt);
      return;
    }
    if (trackedLease.wanted) {
      trackedLease.wanted = false;
      trackedLease.unlistedSince = context.now();
      trackedLease.unlistedCount = 0;
      end(trackedLease);
    }
    listPoller.pollSoon();
    step();
  }

  /** Deletes the instance of a lease, or the one that is being created. */
  private void end(TrackedLease trackedLease) {
    boolean coming = trackedLease.in(TrackedLease.Phase.CREATING);
    trackedLease
        .instance()
        .ifPresentOrElse(
            known -> terminator.delete(known.zone(), known.name(), known.id()),
            () ->
                trackedLease
                    .insertion()
                    .filter(some -> coming)
                    .ifPresent(
                        some -> terminator.delete(some.zone(), trackedLease.name(), some.name())));
  }

  /** Limits the expiry of all nodes until another limit is set. */
  void limitNodeExpiry(NodeExpiryLimit limit) {
    expiryRenewer.limitNodeExpiry(limit, trackedLeases.values());
  }

  /** Lists the instances of a run. {@code answer} is called once Google's list is conclusive. */
  void list(String run, Consumer<List<InstanceInfo>> answer) {
    runInstanceLister.add(
        run,
        there ->
            groups.removeIfEmpty(
                run,
                there,
                trackedLeases.values().stream()
                    .flatMap(trackedLease -> trackedLease.request().stream()),
                answer));
    listPoller.pollSoon();
    step();
  }

  private void removePolicies(String run) {
    context.settings().keySet().forEach(region -> context.compute().deletePolicies(region, run));
  }

  private boolean isAnyEnding() {
    return trackedLeases.values().stream().anyMatch(TrackedLease::isEnding);
  }

  /** Does all work that is due. */
  void step() {
    operationHistoryReader.readPending(trackedLeases.values());
    boolean mayLaunch = expiryRenewer.haveAllReceivedLimit(trackedLeases.values());
    launcher.launch(
        trackedLeases.values().stream()
            .filter(
                trackedLease ->
                    mayLaunch && trackedLease.in(TrackedLease.Phase.QUEUED) && trackedLease.wanted)
            .filter(trackedLease -> trackedLease.run().filter(listPoller::hasListed).isPresent())
            .filter(trackedLease -> !context.now().isBefore(trackedLease.notBefore))
            .toList());
    pendingOperations.poll();
    terminator.flush();
    expiryRenewer.renew(trackedLeases.values());
    nodes.pollBooting(trackedLeases.values());
    poll();
  }

  private void poll() {
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

  /** Lists the instances in the project. */
  private final class ListCallbacks implements ListPoller.Callbacks<InstanceListing> {
    @Override
    public InstanceListing list(Set<String> runs, Set<String> leasesWithoutRun) {
      List<GceInstance> found = new ArrayList<>();
      Set<String> silent = new HashSet<>();
      if (!runs.isEmpty()) {
        InstanceListing some = context.compute().listByLabel(Tags.RUN, labels(runs));
        found.addAll(some.instances());
        silent.addAll(some.unreachableZones());
      }
      if (!leasesWithoutRun.isEmpty()) {
        InstanceListing some = context.compute().listByLabel(Tags.LEASE, labels(leasesWithoutRun));
        found.addAll(some.instances());
        silent.addAll(some.unreachableZones());
      }
      return new InstanceListing(found, silent);
    }

    private static List<String> labels(Set<String> texts) {
      return texts.stream().map(ResourceNames::labelValue).sorted().toList();
    }

    @Override
    public void onList(ListPoller.ListCall listCall, InstanceListing found) {
      Map<String, List<GceInstance>> byLease =
          found.instances().stream()
              .filter(some -> some.labels().containsKey(Tags.LEASE))
              .collect(
                  Collectors.groupingBy(
                      some -> some.labels().getOrDefault(Tags.LEASE, ""),
                      HashMap::new,
                      Collectors.toList()));
      for (TrackedLease trackedLease : List.copyOf(trackedLeases.values())) {
        if (listCall.covers(trackedLease.lease(), trackedLease.run())) {
          String label = ResourceNames.labelValue(trackedLease.lease());
          listReconciler.reconcile(
              trackedLease,
              byLease.getOrDefault(label, List.of()),
              found.unreachableZones(),
              listCall.at());
        }
      }
      runInstanceLister.answer(listCall.runs(), found);
    }

    @Override
    public Duration pollInterval() {
      return ProjectCloud.this.pause();
    }

    @Override
    public void afterList() {
      ProjectCloud.this.step();
    }

    /** Refuses queued leases: without permission to list instances, none may be created. */
    @Override
    public void onListForbidden(String message) {
      List.copyOf(trackedLeases.values()).stream()
          .filter(
              trackedLease ->
                  trackedLease.in(TrackedLease.Phase.QUEUED) && trackedLease.insertRequest == null)
          .forEach(
              trackedLease -> launcher.refuse(trackedLease, RefusalReason.PERMISSION, message));
    }
  }

  /** Handles a lease whose instance Google is creating or has created. */
  private void made(TrackedLease trackedLease) {
    if (!trackedLease.wanted) {
      end(trackedLease);
    }
    trackedLease
        .zone()
        .ifPresent(zone -> instanceMonitor.lookUpMissing(trackedLease, zone, context.now()));
    listPoller.pollSoon();
    step();
  }

  private void gone(String zone, String name, Optional<Instant> at) {
    trackedLeases.values().stream()
        .filter(trackedLease -> trackedLease.isOpen() && trackedLease.isAt(zone, name))
        .findFirst()
        .ifPresent(trackedLease -> instanceMonitor.handleTermination(trackedLease, zone, at));
    listPoller.pollSoon();
  }

  private Duration pause() {
    boolean calm =
        runInstanceLister.runs().isEmpty()
            && trackedLeases.values().stream()
                .filter(TrackedLease::isOpen)
                .allMatch(
                    trackedLease ->
                        trackedLease.boot().isFinished()
                            && trackedLease.wanted
                            && trackedLease.isRunning());
    boolean spot =
        trackedLeases.values().stream()
            .anyMatch(trackedLease -> trackedLease.isOpen() && trackedLease.isSpot());
    if (!calm) {
      return context.pace().pollInterval();
    }
    return spot ? context.pace().spotPollInterval() : context.pace().idlePollInterval();
  }
}
