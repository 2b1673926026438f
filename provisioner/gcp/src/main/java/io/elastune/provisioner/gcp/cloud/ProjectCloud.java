package io.elastune.provisioner.gcp.cloud;

import io.elastune.provisioner.InstanceInfo;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.NodeExpiryLimit;
import io.elastune.provisioner.RefusalReason;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.gcp.account.GceInstance;
import io.elastune.provisioner.gcp.account.Listing;
import io.elastune.provisioner.gcp.account.Names;
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
  private final Map<String, Rental> rentals = new LinkedHashMap<>();
  private final Lists lists;
  private final Awaited awaited;
  private final Ender ender;
  private final Watcher watcher;
  private final BootMonitor<Rental> nodes;
  private final Renewer renewer;
  private final Launcher launcher;
  private final PlacementGroupCleanup groups;
  private final Histories histories;
  private final Sightings sightings;
  private final ListPoller<Listing> listPoller;

  ProjectCloud(ProjectContext context) {
    this.context = context;
    lists = new Lists(rentals);
    awaited = new Awaited(context);
    ender = new Ender(context, awaited, this::gone);
    watcher = new Watcher(context, ender);
    nodes = nodes(context, watcher);
    renewer = new Renewer(context, awaited);
    launcher = new Launcher(context, awaited, renewer, this::made, this::isAnyEnding);
    groups = new PlacementGroupCleanup(context.asker(), this::removePolicies);
    histories = new Histories(context, awaited, this::made);
    sightings = new Sightings(context, watcher, ender);
    listPoller =
        new ListPoller<>(
            "Google", context.asker(), context.time(), context.pace().again(), new Looking());
  }

  private static BootMonitor<Rental> nodes(ProjectContext context, Watcher watcher) {
    Pace pace = context.pace();
    return new BootMonitor<>(
        context.asker(),
        context.time(),
        context.reads(),
        new BootMonitor.Timeouts(pace.look(), pace.boot(), pace.backOff()),
        new Attributes(context, watcher));
  }

  /** Requests an instance for a new lease; has no effect for a known one. */
  void request(LeaseRequest request) {
    begin(request, Rental.Phase.QUEUED);
  }

  /** Takes over a lease of an earlier controller, without creating an instance. */
  void adopt(LeaseRequest request) {
    begin(request, Rental.Phase.SEEKING);
  }

  private void begin(LeaseRequest request, Rental.Phase phase) {
    Rental known = rentals.get(request.lease());
    if (known != null) {
      if (!known.open()) {
        context.gone(known, known.goneAt);
      }
      return;
    }
    Rental rental = new Rental(request.lease(), Optional.of(request), phase);
    rental.soughtSince = context.now();
    rentals.put(request.lease(), rental);
    step();
  }

  void release(String lease) {
    Rental rental = rentals.get(lease);
    if (rental == null) {
      rental = new Rental(lease, Optional.empty(), Rental.Phase.SEEKING);
      rentals.put(lease, rental);
    }
    if (!rental.open()) {
      context.gone(rental, rental.goneAt);
      return;
    }
    if (rental.wanted) {
      rental.wanted = false;
      rental.soughtSince = context.now();
      rental.looks = 0;
      end(rental);
    }
    listPoller.pollSoon();
    step();
  }

  /** Deletes the instance of a lease, or the one that is being created. */
  private void end(Rental rental) {
    boolean coming = rental.in(Rental.Phase.COMING);
    rental
        .instance()
        .ifPresentOrElse(
            known -> ender.end(known.zone(), known.name(), known.id()),
            () ->
                rental
                    .insertion()
                    .filter(some -> coming)
                    .ifPresent(some -> ender.end(some.zone(), rental.name(), some.name())));
  }

  /** Limits the expiry of all nodes until another limit is set. */
  void limitLives(NodeExpiryLimit limit) {
    renewer.limitLives(limit, rentals.values());
  }

  /** Lists the instances of a run. {@code answer} is called once Google's list is conclusive. */
  void list(String run, Consumer<List<InstanceInfo>> answer) {
    lists.add(
        run,
        there ->
            groups.removeIfEmpty(
                run,
                there,
                rentals.values().stream().flatMap(rental -> rental.request().stream()),
                answer));
    listPoller.pollSoon();
    step();
  }

  private void removePolicies(String run) {
    context.settings().keySet().forEach(region -> context.compute().removePolicies(region, run));
  }

  private boolean isAnyEnding() {
    return rentals.values().stream().anyMatch(Rental::isEnding);
  }

  /** Does all work that is due. */
  void step() {
    histories.ask(rentals.values());
    boolean mayLaunch = renewer.haveAllHeard(rentals.values());
    launcher.launch(
        rentals.values().stream()
            .filter(rental -> mayLaunch && rental.in(Rental.Phase.QUEUED) && rental.wanted)
            .filter(rental -> rental.run().filter(listPoller::hasListed).isPresent())
            .filter(rental -> !context.now().isBefore(rental.notBefore))
            .toList());
    awaited.poll();
    ender.flush();
    renewer.renew(rentals.values());
    nodes.pollBooting(rentals.values());
    poll();
  }

  private void poll() {
    Set<String> runs = new HashSet<>(lists.runs());
    Set<String> leasesWithoutRun = new HashSet<>();
    rentals.values().stream()
        .filter(Rental::open)
        .forEach(
            rental ->
                rental
                    .run()
                    .ifPresentOrElse(runs::add, () -> leasesWithoutRun.add(rental.lease())));
    listPoller.poll(runs, leasesWithoutRun);
  }

  /** Lists the instances in the project. */
  private final class Looking implements ListPoller.Callbacks<Listing> {
    @Override
    public Listing list(Set<String> runs, Set<String> leasesWithoutRun) {
      List<GceInstance> found = new ArrayList<>();
      Set<String> silent = new HashSet<>();
      if (!runs.isEmpty()) {
        Listing some = context.compute().withLabel(Tags.RUN, labels(runs));
        found.addAll(some.instances());
        silent.addAll(some.silent());
      }
      if (!leasesWithoutRun.isEmpty()) {
        Listing some = context.compute().withLabel(Tags.LEASE, labels(leasesWithoutRun));
        found.addAll(some.instances());
        silent.addAll(some.silent());
      }
      return new Listing(found, silent);
    }

    private static List<String> labels(Set<String> texts) {
      return texts.stream().map(Names::label).sorted().toList();
    }

    @Override
    public void onList(ListPoller.ListCall listCall, Listing found) {
      Map<String, List<GceInstance>> byLease =
          found.instances().stream()
              .filter(some -> some.labels().containsKey(Tags.LEASE))
              .collect(
                  Collectors.groupingBy(
                      some -> some.labels().getOrDefault(Tags.LEASE, ""),
                      HashMap::new,
                      Collectors.toList()));
      for (Rental rental : List.copyOf(rentals.values())) {
        if (listCall.covers(rental.lease(), rental.run())) {
          String label = Names.label(rental.lease());
          sightings.see(
              rental, byLease.getOrDefault(label, List.of()), found.silent(), listCall.at());
        }
      }
      lists.answer(listCall.runs(), found);
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
      List.copyOf(rentals.values()).stream()
          .filter(rental -> rental.in(Rental.Phase.QUEUED) && rental.order == null)
          .forEach(rental -> launcher.refuse(rental, RefusalReason.PERMISSION, message));
    }
  }

  /** Handles a lease whose instance Google is creating or has created. */
  private void made(Rental rental) {
    if (!rental.wanted) {
      end(rental);
    }
    rental.zone().ifPresent(zone -> watcher.missing(rental, zone, context.now()));
    listPoller.pollSoon();
    step();
  }

  private void gone(String zone, String name, Optional<Instant> at) {
    rentals.values().stream()
        .filter(rental -> rental.open() && rental.isAt(zone, name))
        .findFirst()
        .ifPresent(rental -> watcher.gone(rental, zone, at));
    listPoller.pollSoon();
  }

  private Duration pause() {
    boolean calm =
        lists.runs().isEmpty()
            && rentals.values().stream()
                .filter(Rental::open)
                .allMatch(
                    rental -> rental.boot().isFinished() && rental.wanted && rental.isRunning());
    boolean spot = rentals.values().stream().anyMatch(rental -> rental.open() && rental.isSpot());
    if (!calm) {
      return context.pace().look();
    }
    return spot ? context.pace().noticeLook() : context.pace().calmLook();
  }
}
