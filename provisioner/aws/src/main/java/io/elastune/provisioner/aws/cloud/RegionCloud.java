package io.elastune.provisioner.aws.cloud;

import io.elastune.provisioner.InstanceInfo;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.NodeExpiryLimit;
import io.elastune.provisioner.RefusalReason;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.aws.account.Ec2Instance;
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
  private final BooleanSupplier limited;

  private final Map<String, Rental> rentals = new LinkedHashMap<>();
  private final Lists lists;
  private final Ender ender;
  private final Watcher watcher;
  private final SpotWatch spot;
  private final Sightings sightings;
  private final Renewer renewer;
  private final Launcher launcher;
  private final PlacementGroupCleanup placementGroups;
  private final BootMonitor<Rental> nodes;
  private final ListPoller<List<Ec2Instance>> listPoller;

  RegionCloud(RegionContext context, BooleanSupplier limited) {
    this.context = context;
    this.limited = limited;
    lists = new Lists(rentals);
    ender = new Ender(context);
    spot = new SpotWatch(context);
    watcher = new Watcher(context, ender);
    sightings = new Sightings(context, watcher, ender);
    nodes = nodes(context, watcher);
    renewer = new Renewer(context);
    launcher = new Launcher(context, renewer, this::launched, this::isAnyEnding);
    placementGroups =
        new PlacementGroupCleanup(
            context.asker(), run -> context.ec2().removeGroups(Tags.RUN, run));
    listPoller =
        new ListPoller<>(
            "EC2 in " + context.region(),
            context.asker(),
            context.time(),
            context.pace().again(),
            new Looking());
  }

  private static BootMonitor<Rental> nodes(RegionContext context, Watcher watcher) {
    Pace pace = context.pace();
    return new BootMonitor<>(
        context.asker(),
        context.time(),
        new RateLimit(
            pace.burst() * CONSOLES_PER_LAUNCH, pace.launchesPerSecond() * CONSOLES_PER_LAUNCH),
        new BootMonitor.Timeouts(pace.look(), pace.boot(), pace.backOff()),
        new Consoles(context, watcher));
  }

  /** Rents an instance if the lease is new; otherwise continues with its current state. */
  void request(LeaseRequest request) {
    begin(request, Rental.Phase.QUEUED);
  }

  /** Resumes tracking of a lease of an earlier controller; rents nothing. */
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

  /** Returns whether the lease is or was rented in this region. */
  boolean knows(String lease) {
    return rentals.containsKey(lease);
  }

  void release(String lease) {
    Rental rental =
        rentals.computeIfAbsent(
            lease, some -> new Rental(some, Optional.empty(), Rental.Phase.SEEKING));
    if (!rental.open()) {
      context.gone(rental, rental.goneAt);
      return;
    }
    if (rental.wanted) {
      rental.wanted = false;
      rental.soughtSince = context.now();
      rental.looks = 0;
    }
    rental.instance().ifPresent(instance -> watcher.see(rental, instance));
    listPoller.pollSoon();
    step();
  }

  /** Sets the expiry limit of all nodes. */
  void limitLives(NodeExpiryLimit limit) {
    renewer.limitLives(limit, rentals.values());
  }

  /** Requests the instances of a run; {@code answer} is called once the list is reliable. */
  void list(String run, Consumer<List<InstanceInfo>> answer) {
    lists.add(run, there -> placementGroups.removeIfEmpty(run, there, requests(), answer));
    listPoller.pollSoon();
    step();
  }

  private Stream<LeaseRequest> requests() {
    return rentals.values().stream().flatMap(rental -> rental.request().stream());
  }

  /** Returns whether all nodes that may still run have received the limit. */
  boolean haveAllHeard() {
    return renewer.haveAllHeard(rentals.values());
  }

  private boolean isAnyEnding() {
    return rentals.values().stream().anyMatch(Rental::isEnding);
  }

  /** Runs all operations that are due. */
  void step() {
    boolean mayLaunch = limited.getAsBoolean();
    launcher.launch(
        rentals.values().stream()
            .filter(rental -> mayLaunch && rental.in(Rental.Phase.QUEUED) && rental.wanted)
            .filter(rental -> rental.run().filter(listPoller::hasListed).isPresent())
            .filter(rental -> !context.now().isBefore(rental.notBefore))
            .toList());
    ender.flush();
    renewer.renew(rentals.values());
    nodes.pollBooting(rentals.values());
    spot.look(rentals.values());
    pollInstances();
  }

  private void pollInstances() {
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

  /** Processes EC2's lists of the region. */
  private final class Looking implements ListPoller.Callbacks<List<Ec2Instance>> {
    @Override
    public List<Ec2Instance> list(Set<String> runs, Set<String> leasesWithoutRun) {
      List<Ec2Instance> found = new ArrayList<>();
      if (!runs.isEmpty()) {
        found.addAll(context.ec2().withTag(Tags.RUN, runs));
      }
      if (!leasesWithoutRun.isEmpty()) {
        found.addAll(context.ec2().withTag(Tags.LEASE, leasesWithoutRun));
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
      for (Rental rental : List.copyOf(rentals.values())) {
        if (listCall.covers(rental.lease(), rental.run())) {
          sightings.see(rental, byLease.getOrDefault(rental.lease(), List.of()), listCall.at());
        }
      }
      lists.answer(listCall.runs(), found);
    }

    @Override
    public Duration pollInterval() {
      return isIdle() ? context.pace().calmLook() : context.pace().look();
    }

    @Override
    public void afterList() {
      RegionCloud.this.step();
    }

    /** Refuses queued launches: an instance that cannot be listed is not launched. */
    @Override
    public void onListForbidden(String message) {
      List.copyOf(rentals.values()).stream()
          .filter(rental -> rental.in(Rental.Phase.QUEUED) && rental.order == null)
          .forEach(rental -> launcher.refuse(rental, RefusalReason.PERMISSION, message));
    }
  }

  private void launched(Rental rental, Ec2Instance instance) {
    boolean known = rental.instance().filter(some -> some.id().equals(instance.id())).isPresent();
    if (rental.open()) {
      watcher.see(rental, instance);
    } else if (!known) {
      sightings.tooMany(rental, instance);
    }
    step();
  }

  /** Returns whether no operation is pending. */
  private boolean isIdle() {
    return lists.runs().isEmpty()
        && rentals.values().stream()
            .filter(Rental::open)
            .allMatch(rental -> rental.boot().isFinished() && rental.wanted && rental.isRunning());
  }
}
