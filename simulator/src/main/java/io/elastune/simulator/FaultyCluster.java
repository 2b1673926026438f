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

  /** The slots on which the trials ran that continue; empty if it does not matter. */
  List<FaultySlot> homes = List.of();

  /** Number of the first instance that the current group requested. */
  int firstNew;

  final FaultClock clock;
  private final LeasePlan leasePlan;
  private final LeaseDraws draws;
  private final CostTotals costTotals;
  private final RandomStreams replacements;
  private final int sample;
  private final LeaseEvents events = new LeaseEvents();
  private int requested;
  private int planned;

  /**
   * @param replacements the random streams of the instances that replace others in this sample
   */
  FaultyCluster(
      LeasePlan leasePlan,
      LeaseDraws draws,
      CostTotals costTotals,
      FaultClock clock,
      RandomStreams replacements,
      int sample) {
    this.leasePlan = leasePlan;
    this.draws = draws;
    this.costTotals = costTotals;
    this.clock = clock;
    this.replacements = replacements;
    this.sample = sample;
  }

  /** Takes over the instances of a sample without faults at {@code atS}, the end of a group. */
  void takeOver(Cluster cluster, double atS) {
    requested = cluster.requested();
    planned = requested;
    for (int i = 0; i < cluster.held; i++) {
      held.add(lease(cluster, cluster.active[i], atS));
    }
    for (int i = 0; i < cluster.parkedCount; i++) {
      parked.add(lease(cluster, cluster.parked[i], atS));
    }
    events.leasesChanged();
  }

  private FaultyLease lease(Cluster cluster, int number, double atS) {
    return cluster.lease(number, leasePlan.hazards(number), atS);
  }

  /** Requests the next {@code count} planned instances. */
  void request(int count, int group, double atS) {
    firstNew = requested;
    for (int i = 0; i < count; i++) {
      int number = planned++;
      int at = draws.row(sample) + number;
      add(requested++, number, group, atS, draws.provisioning(at), draws.slowness[at]);
    }
  }

  /** Requests an instance that replaces {@code lost}, and returns it. */
  FaultyLease replace(FaultyLease lost, int group, double atS) {
    RandomStreams own = replacements.at(requested);
    LeasePlan.Tables tables = leasePlan.tables(lost.planned);
    Provisioning times =
        Provisioning.of(
            (int) leasePlan.bootFailures(lost.planned).one(own.at("boot failures")),
            tables.queue().one(own.at("queue")),
            tables.boot().one(own.at("boot")),
            tables,
            own.at("reboot"));
    double slowness = tables.slowness().one(own.at("slowness"));
    return add(requested++, lost.planned, group, atS, times, slowness);
  }

  private FaultyLease add(
      int number, int plannedLease, int group, double atS, Provisioning times, double slowness) {
    FaultyLease lease =
        FaultyLease.requested(
            number,
            plannedLease,
            leasePlan.rates(plannedLease),
            leasePlan.hazards(plannedLease),
            group,
            new FaultyLease.Boot(atS, times, 0, slowness),
            costTotals);
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

  /** Returns the hazards and the next events of all leases at {@code nowS}. */
  LeaseEvents events(double nowS) {
    if (events.isOutdated(nowS)) {
      boolean allHeld = parked.isEmpty();
      events.update(held, allHeld ? held : running(nowS), parked, nowS);
    }
    return events;
  }

  /** Removes an instance that is lost; returns whether it was in use. */
  boolean remove(FaultyLease lost) {
    events.leasesChanged();
    return !parked.remove(lost) && held.remove(lost);
  }

  /** Returns the running instance whose hazard contains {@code at}, counted from 0. */
  FaultyLease at(double hazardPerS, double nowS) {
    double left = hazardPerS;
    FaultyLease last = null;
    for (FaultyLease lease : running(nowS)) {
      last = lease;
      left -= lease.hazards.instancePerS();
      if (left < 0) {
        break;
      }
    }
    if (last == null) {
      throw new IllegalStateException("no instance is running");
    }
    return last;
  }

  /**
   * Instances that are lost at once.
   *
   * @param preempted whether they are preempted; otherwise one has failed
   */
  record Losses(List<FaultyLease> lost, boolean preempted) {}

  /**
   * Returns the instances that are lost together with {@code first}, which a fault struck at {@code
   * nowS}; empty if the fault does not count. A preemption of several instances strikes each of
   * them, so it counts only for one of them.
   */
  Losses lostWith(FaultyLease first, double nowS) {
    FaultHazards hazards = first.hazards;
    List<FaultyLease> lost = new ArrayList<>(List.of(first));
    if (clock.fraction() * hazards.instancePerS() < hazards.failurePerS()) {
      return new Losses(lost, false);
    }
    for (FaultyLease other : running(nowS)) {
      if (other != first
          && other.hazards.preemptionPerS() > 0
          && clock.fraction() < hazards.instances().preemptedTogether()) {
        lost.add(other);
      }
    }
    return new Losses(clock.fraction() * lost.size() < 1 ? lost : List.of(), true);
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

  /** Releases an instance that is held. */
  void release(FaultyLease lease, int group, double startS, double nowS) {
    held.remove(lease);
    lease.release(group, startS, nowS);
    events.leasesChanged();
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
