package io.elastune.simulator;

import io.elastune.core.allocation.TeamMember;
import io.elastune.core.billing.Billing;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * Tracks the leases of one chain in one sample: when each is running and ready, its work and its
 * cost. Arrays are indexed by the instance's number, in order of request. Times are in seconds from
 * the start of the plan.
 */
final class Cluster {
  /** Marks an instance that is released at the end of its group. */
  static final int GROUP_END = -1;

  /** Time at which each instance is ready. */
  final double[] readyS;

  /** Factor by which training on each instance is slower than in the profile. */
  final double[] slowness;

  /** Time at which each instance was, or would have been, running. */
  final double[] runningS;

  /** Time at which each instance was released; {@link #releaser} has the group. */
  final double[] releasedS;

  final int[] releaser;

  /**
   * In groups with spare instances, by released instance: the one that became idle at the moment of
   * its release, or {@link #GROUP_END}.
   */
  final int[] releasedWith;

  /** Numbers of the held instances in use, ascending: the first {@link #held} entries. */
  final int[] active;

  int held;

  /** The same numbers in the order of (ready time, number), after {@link #order}. */
  final int[] byReady;

  private boolean isOrdered;

  /** Numbers of the instances that a plan with {@code hold} keeps without using them. */
  final int[] parked;

  int parkedCount;

  /** Time at which each instance becomes idle for the current group. */
  final double[] idleS;

  /** Number of the first instance that the current group requested. */
  int firstNew;

  /** The hazard of faults of the instances in this sample, so far. */
  double hazard;

  /** The draws of the leases. */
  final LeaseDraws draws;

  private final CostTotals costTotals;
  private final OfferRates[] offerRates;
  private final double[] hazardPerS;
  private final int[] requester;
  // By instance: time of its request, and its failed boots from then on.
  private final double[] requestedS;
  private final double[][] failedBoots;
  // Sums over the groups of a lease: seconds in which a trial ran, the same weighted by the
  // fraction
  // of GPUs in use, and the cost attributed to groups so far.
  private final double[] usedS;
  private final double[] busyS;
  private final double[] bookedUsd;
  // Seconds in which a trial ran in the current group.
  private final double[] usedNowS;
  private int requested;
  private final KeySorter.TieRule joinsFirst;

  Cluster(LeasePlan leases, CostTotals costTotals) {
    this.costTotals = costTotals;
    offerRates = leases.rates();
    requester = leases.requesters();
    hazardPerS = Stream.of(leases.hazards()).mapToDouble(FaultHazards::instancePerS).toArray();
    draws = new LeaseDraws(leases, leases.samples());
    int size = leases.size();
    requestedS = new double[size];
    failedBoots = new double[size][];
    Arrays.fill(failedBoots, Provisioning.NONE);
    readyS = new double[size];
    joinsFirst = (a, b) -> TeamMember.before(readyS[a], a, readyS[b], b);
    slowness = new double[size];
    runningS = new double[size];
    releasedS = new double[size];
    releaser = new int[size];
    releasedWith = new int[size];
    active = new int[size];
    byReady = new int[size];
    parked = new int[size];
    idleS = new double[size];
    usedS = new double[size];
    busyS = new double[size];
    bookedUsd = new double[size];
    usedNowS = new double[size];
  }

  /** Resets to no leases. */
  void reset() {
    requested = 0;
    hazard = 0;
    held = 0;
    parkedCount = 0;
    Arrays.fill(usedS, 0);
    Arrays.fill(busyS, 0);
    Arrays.fill(bookedUsd, 0);
  }

  /** Requests {@code count} more instances; each draws its own times and slowness. */
  void request(int count, double atS, int sample) {
    firstNew = requested;
    if (count == 0) {
      return;
    }
    isOrdered = false;
    int row = draws.row(sample);
    for (int i = 0; i < count; i++) {
      int number = requested++;
      requestedS[number] = atS;
      failedBoots[number] = draws.failedBoots[row + number];
      runningS[number] = atS + draws.queuingS[row + number];
      readyS[number] = runningS[number] + draws.bootingS[row + number];
      slowness[number] = draws.slowness[row + number];
      active[held++] = number;
      costTotals.dataUsd += offerRates[number].dataInUsd();
      costTotals.groupUsd[requester[number]] += offerRates[number].dataInUsd();
    }
  }

  /** Returns whether {@link #byReady} is up to date, which ends with the next request. */
  boolean isOrdered() {
    return isOrdered;
  }

  /** Sorts {@link #byReady} if necessary. */
  void order(KeySorter sorter) {
    if (!isOrdered) {
      System.arraycopy(active, 0, byReady, 0, held);
      sorter.sort(byReady, held, readyS, joinsFirst);
      isOrdered = true;
    }
  }

  /** Records the work of an instance in the current group. */
  void recordWork(int number, double used, double busy) {
    usedNowS[number] = used;
    usedS[number] += used;
    busyS[number] += busy;
  }

  /** Keeps the instance without work for the rest of the plan. */
  void park(int number) {
    parked[parkedCount++] = number;
  }

  /**
   * Attributes to {@code group} the cost of all instances that are held from its start to its end.
   */
  void attributeCost(int group, double startS, double endS) {
    double sumUsd = costTotals.groupUsd[group];
    for (int i = 0; i < held; i++) {
      sumUsd += usdOf(active[i], startS, endS);
    }
    for (int i = 0; i < parkedCount; i++) {
      sumUsd += usdOf(parked[i], startS, endS);
    }
    costTotals.groupUsd[group] = sumUsd;
  }

  /**
   * Returns the cost for the current group of an instance held from {@code fromS} to {@code toS}.
   */
  private double usdOf(int number, double fromS, double toS) {
    OfferRates rate = offerRates[number];
    double usableS = toS - (readyS[number] > fromS ? readyS[number] : fromS);
    double readyForS = usableS > 0 ? usableS : 0;
    double usd = (rate.useOnly() ? usedNowS[number] : readyForS) * rate.usdPerS();
    usedNowS[number] = 0;
    bookedUsd[number] += usd;
    return usd + readyForS * rate.diskUsdPerS();
  }

  /**
   * Releases an instance in {@code group} and computes its final bill. The boot is attributed to
   * the group that requested the instance; rounding and minimum to the group that releases it.
   */
  void release(int number, int group, double fromS, double atS) {
    costTotals.groupUsd[group] += usdOf(number, fromS, atS);
    releasedS[number] = atS;
    releaser[number] = group;
    if (failedBoots[number].length > 0) {
      billFailedBoots(number, atS);
    }
    if (!Billing.reachedRunning(runningS[number], atS)) {
      return;
    }
    OfferRates rate = offerRates[number];
    double heldS = atS - runningS[number];
    hazard += heldS * hazardPerS[number];
    double bootS = Math.min(readyS[number], atS) - runningS[number];
    double countedS = rate.useOnly() ? usedS[number] : heldS;
    double usd = Billing.billedSeconds(rate.terms(), countedS) * rate.usdPerS();
    double bootUsd = rate.useOnly() ? 0 : bootS * rate.usdPerS();
    double usedUsd = (rate.useOnly() ? usedS[number] : busyS[number]) * rate.usdPerS();
    costTotals.addBill(usd, bootUsd, usedUsd);
    costTotals.otherUsd += rate.perUseUsd() + heldS * rate.diskUsdPerS();
    costTotals.groupUsd[requester[number]] +=
        bootUsd + bootS * rate.diskUsdPerS() + rate.perUseUsd();
    costTotals.groupUsd[group] += usd - bootUsd - bookedUsd[number];
  }

  /** Computes the bills of the instances whose boots failed, all for the group that requested. */
  private void billFailedBoots(int number, double atS) {
    OfferRates rate = offerRates[number];
    double[] times = failedBoots[number];
    for (int i = 0; i < times.length; i += 2) {
      double bootedS = requestedS[number] + times[i];
      double failedS = bootedS + times[i + 1];
      billFailedBoot(number, bootedS, Math.min(failedS, atS));
      if (failedS <= atS) {
        costTotals.dataUsd += rate.dataInUsd();
        costTotals.groupUsd[requester[number]] += rate.dataInUsd();
      }
    }
  }

  private void billFailedBoot(int number, double runningFromS, double endS) {
    if (!Billing.reachedRunning(runningFromS, endS)) {
      return;
    }
    OfferRates rate = offerRates[number];
    double heldS = endS - runningFromS;
    hazard += heldS * hazardPerS[number];
    double usd = Billing.billedSeconds(rate.terms(), rate.useOnly() ? 0 : heldS) * rate.usdPerS();
    double otherUsd = rate.perUseUsd() + heldS * rate.diskUsdPerS();
    costTotals.addBill(usd, rate.useOnly() ? 0 : heldS * rate.usdPerS(), 0);
    costTotals.otherUsd += otherUsd;
    costTotals.groupUsd[requester[number]] += usd + otherUsd;
  }

  /** Returns the hazard until {@code atS}, with that of the instances that are held then. */
  double hazardUntil(double atS) {
    double sum = hazard;
    for (int i = 0; i < held; i++) {
      sum += heldHazard(active[i], atS);
    }
    for (int i = 0; i < parkedCount; i++) {
      sum += heldHazard(parked[i], atS);
    }
    return sum;
  }

  private double heldHazard(int number, double atS) {
    double runS = atS > runningS[number] ? atS - runningS[number] : 0;
    double[] times = failedBoots[number];
    for (int i = 0; i < times.length; i += 2) {
      double bootedS = requestedS[number] + times[i];
      runS += Math.max(0, Math.min(atS, bootedS + times[i + 1]) - bootedS);
    }
    return runS * hazardPerS[number];
  }

  /** Returns the number of instances that were requested so far. */
  int requested() {
    return requested;
  }

  /** Returns a held instance at {@code atS}, the end of a group, for the rest of the sample. */
  FaultyLease lease(int number, FaultHazards hazards, double atS) {
    Provisioning times =
        new Provisioning(
            failedBoots[number],
            runningS[number] - requestedS[number],
            readyS[number] - runningS[number]);
    FaultyLease lease =
        FaultyLease.held(
            number,
            offerRates[number],
            hazards,
            requester[number],
            new FaultyLease.Boot(requestedS[number], times, 0, slowness[number]),
            costTotals);
    while (lease.bootFailsS <= atS) {
      lease = lease.afterFailedBoot();
    }
    lease.resume(usedS[number], busyS[number], bookedUsd[number]);
    return lease;
  }

  /** Returns whether the instance is ready at {@code atS}. */
  boolean isReady(int number, double atS) {
    return readyS[number] <= atS;
  }
}
