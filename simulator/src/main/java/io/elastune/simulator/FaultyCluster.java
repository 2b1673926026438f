package io.elastune.simulator;

import io.elastune.core.random.RandomStreams;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The leases of one chain in one sample with faults. */
final class FaultyCluster {
  /** The held instances in use, in order of their numbers. */
  final List<FaultyLease> held = new ArrayList<>();

  /** Instances that a plan with {@code hold} keeps without using them. */
  final List<FaultyLease> parked = new ArrayList<>();

  /** Most faults of a chain in one sample: at rates that allow no progress, none follow. */
  private static final int MOST_FAULTS = 1000;

  /** Number of the first instance that the current group requested. */
  int firstNew;

  private final LeasePlan leasePlan;
  private final LeaseDraws draws;
  private final CostTotals costTotals;
  private final RandomStreams streams;
  private final LossClocks clocks;
  private final int sample;
  private final LeaseEvents events = new LeaseEvents();
  private int requested;
  private int planned;
  private int faults;

  /** Creates a cluster without instances. */
  FaultyCluster(LeasePlan leasePlan, LeaseDraws draws, CostTotals costTotals, int sample) {
    this.leasePlan = leasePlan;
    this.draws = draws;
    this.costTotals = costTotals;
    this.streams = leasePlan.streams(sample);
    this.clocks = new LossClocks(streams);
    this.sample = sample;
  }

  /** Takes over the instances of a sample at {@code atS}, the start of a group. */
  void takeOver(Cluster cluster, double atS) {
    requested = cluster.requested();
    planned = cluster.planned();
    faults = cluster.faults;
    firstNew = cluster.firstNew;
    for (int i = 0; i < cluster.held; i++) {
      held.add(cluster.lease(cluster.active[i], atS));
    }
    for (int i = 0; i < cluster.parkedCount; i++) {
      parked.add(cluster.lease(cluster.parked[i], atS));
    }
    events.leasesChanged();
  }

  /** Returns the instances to a sample, at the end of a group. */
  void returnTo(Cluster cluster) {
    cluster.beginTakingBack(requested, planned, faults);
    held.forEach(cluster::takeBack);
    parked.forEach(cluster::takeBackParked);
  }

  /** Counts a fault; returns whether it occurs. */
  boolean occurs() {
    boolean occurs = faults < MOST_FAULTS;
    faults += occurs ? 1 : 0;
    return occurs;
  }

  /** Requests the next {@code count} planned instances. */
  void request(int count, int group, double atS) {
    firstNew = requested;
    for (int i = 0; i < count; i++) {
      int number = planned++;
      int at = draws.row(sample) + number;
      add(number, group, atS, draws.provisioning(at), draws.slowness[at], draws.hazards[at]);
    }
  }

  /** Requests an instance that replaces {@code lost}, and returns it. */
  FaultyLease replace(FaultyLease lost, int group, double atS) {
    RandomStreams own = streams.at("replacement").at(requested);
    LeasePlan.Tables tables = leasePlan.tables(lost.planned);
    Provisioning times =
        Provisioning.of(
            (int) leasePlan.bootFailures(lost.planned).one(own.at("boot failures")),
            tables.queue().one(own.at("queue")),
            tables.boot().one(own.at("boot")),
            tables,
            own.at("reboot"));
    double slowness = tables.slowness().one(own.at("slowness"));
    return add(lost.planned, group, atS, times, slowness, clocks.hazardOfReplacement(requested));
  }

  private FaultyLease add(
      int plannedLease, int group, double atS, Provisioning times, double slowness, double hazard) {
    FaultyLease lease =
        FaultyLease.requested(
            requested++,
            plannedLease,
            leasePlan.rates(plannedLease),
            leasePlan.hazards(plannedLease),
            group,
            new FaultyLease.Boot(atS, times, 0, slowness),
            costTotals);
    lease.startClock(hazard, atS);
    lease.lastEndS = atS;
    held.add(lease);
    events.leasesChanged();
    return lease;
  }

  /** Replaces the instances whose boots fail at {@code nowS}. */
  void failBoots(double nowS) {
    while (events(nowS).nextBootFailureS() <= nowS) {
      held.replaceAll(lease -> lease.bootFailsS <= nowS ? lease.afterFailedBoot() : lease);
      parked.replaceAll(lease -> lease.bootFailsS <= nowS ? lease.afterFailedBoot() : lease);
      events.leasesChanged();
    }
  }

  /** Returns the next events of all leases at {@code nowS}. */
  LeaseEvents events(double nowS) {
    if (events.isOutdated(nowS)) {
      events.update(held, parked, nowS);
    }
    return events;
  }

  /** Removes an instance that is lost; returns whether it was in use. */
  boolean remove(FaultyLease lost) {
    events.leasesChanged();
    return !parked.remove(lost) && held.remove(lost);
  }

  /**
   * Instances that are lost at once.
   *
   * @param preempted whether they are preempted; otherwise one has failed
   */
  record Losses(List<FaultyLease> lost, boolean preempted) {}

  /**
   * Returns the instances that are lost together with {@code first}, which a fault strikes at
   * {@code nowS}; empty if the fault does not count. Then the clock of {@code first} begins again.
   */
  Losses lostWith(FaultyLease first, double nowS) {
    if (!occurs()) {
      first.setLoss(FaultyLease.NEVER, first.uncounted());
      events.leasesChanged();
      return new Losses(List.of(), false);
    }
    LossClocks.Fault fault = clocks.fault(first.number, first.hazards, first.uncounted());
    List<FaultyLease> lost = new ArrayList<>(List.of(first));
    if (!fault.isPreemption()) {
      return new Losses(lost, false);
    }
    for (FaultyLease other : running(nowS)) {
      if (other != first && fault.includes(other.hazards)) {
        lost.add(other);
      }
    }
    if (fault.counts(lost.size())) {
      return new Losses(lost, true);
    }
    first.surviveFault(fault.nextHazard(), nowS);
    events.leasesChanged();
    return new Losses(List.of(), true);
  }

  private List<FaultyLease> running(double nowS) {
    List<FaultyLease> running = new ArrayList<>(held);
    if (!parked.isEmpty()) {
      running.addAll(parked);
      running.sort(Comparator.comparingInt(lease -> lease.number));
    }
    running.removeIf(lease -> lease.runningS > nowS);
    return running;
  }

  /** Releases so many idle instances; first those that are not ready. */
  void releaseIdle(int leaving, int group, double startS, double nowS) {
    events.leasesChanged();
    List<FaultyLease> idle = new ArrayList<>(held);
    idle.removeIf(lease -> lease.attempts > 0);
    idle.sort(
        Comparator.<FaultyLease>comparingInt(lease -> lease.readyS > nowS ? 0 : 1)
            .thenComparingInt(lease -> -lease.number));
    for (int i = 0; i < leaving; i++) {
      held.remove(idle.get(i));
      idle.get(i).release(group, startS, nowS);
    }
  }

  /** Keeps surplus instances without use, in the order in which they became idle. */
  void park(int kept, double lastStartS) {
    events.leasesChanged();
    List<FaultyLease> idle = new ArrayList<>(held);
    idle.sort(
        Comparator.<FaultyLease>comparingDouble(lease -> Math.max(lease.lastEndS, lastStartS))
            .thenComparingInt(lease -> lease.readyS > Math.max(lease.lastEndS, lastStartS) ? 0 : 1)
            .thenComparingInt(lease -> -lease.number));
    for (FaultyLease lease : idle) {
      if (held.size() > kept) {
        held.remove(lease);
        parked.add(lease);
      }
    }
  }

  /** Releases all instances. */
  void releaseAll(int group, double startS, double nowS) {
    held.forEach(lease -> lease.release(group, startS, nowS));
    parked.forEach(lease -> lease.release(group, startS, nowS));
    events.leasesChanged();
    held.clear();
    parked.clear();
  }

  /** Attributes to {@code group} the cost of all instances that are held. */
  void attributeCost(int group, double startS, double endS) {
    held.forEach(lease -> lease.attributeCost(group, startS, endS));
    parked.forEach(lease -> lease.attributeCost(group, startS, endS));
  }
}
