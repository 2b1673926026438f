package io.elastune.simulator;

import io.elastune.core.allocation.TeamMember;
import io.elastune.core.billing.Billing;
import java.util.Arrays;

/**
 * The leases of one chain in one sample: when each is running and ready, what it did, what it
 * costs. Arrays are indexed by the instance's number, in order of request. Times in seconds from
 * the start of the plan.
 */
final class Cluster {
  /** When each instance is ready. */
  final double[] readyS;

  /** The factor by which each trains more slowly than the profile says. */
  final double[] slowness;

  /** When each was, or would have been, running. */
  final double[] runningS;

  /** When each was released, and in which group. */
  final double[] releasedS;

  final int[] releaser;

  /** The numbers of those held and in use, ascending: the first {@link #held} entries. */
  final int[] active;

  int held;

  /** The same in the order of (ready time, number), once {@link #order} put them there. */
  final int[] byReady;

  private boolean isOrdered;

  /** Those that a plan with {@code hold} keeps without using them. */
  final int[] parked;

  int parkedCount;

  /** When each becomes idle for the group under way. */
  final double[] idleS;

  private final Ledger ledger;
  private final Rates[] rates;
  private final int[] requester;
  private final LeaseDraws draws;
  // Sums over the groups of a lease: seconds in which a trial ran, the same weighed by the part of
  // its GPUs that was busy, and what has been booked on groups so far.
  private final double[] usedS;
  private final double[] busyS;
  private final double[] bookedUsd;
  // In the group under way.
  private final double[] usedNowS;
  private int requested;
  private final KeySorter.Rule joinsFirst;

  Cluster(LeasePlan leases, Ledger ledger) {
    this.ledger = ledger;
    rates = leases.rates();
    requester = leases.requesters();
    draws = leases.draws();
    int size = leases.size();
    readyS = new double[size];
    joinsFirst = (a, b) -> TeamMember.before(readyS[a], a, readyS[b], b);
    slowness = new double[size];
    runningS = new double[size];
    releasedS = new double[size];
    releaser = new int[size];
    active = new int[size];
    byReady = new int[size];
    parked = new int[size];
    idleS = new double[size];
    usedS = new double[size];
    busyS = new double[size];
    bookedUsd = new double[size];
    usedNowS = new double[size];
  }

  /** Back to no lease at all. */
  void reset() {
    requested = 0;
    held = 0;
    parkedCount = 0;
    Arrays.fill(usedS, 0);
    Arrays.fill(busyS, 0);
    Arrays.fill(bookedUsd, 0);
  }

  /** Requests {@code count} more instances; every one draws its own times and slowness. */
  void request(int count, double atS, int sample) {
    if (count == 0) {
      return;
    }
    isOrdered = false;
    int row = draws.row(sample);
    for (int i = 0; i < count; i++) {
      int number = requested++;
      runningS[number] = atS + draws.queuingS[row + number];
      readyS[number] = runningS[number] + draws.bootingS[row + number];
      slowness[number] = draws.slowness[row + number];
      active[held++] = number;
      ledger.dataUsd += rates[number].dataInUsd();
      ledger.groupUsd[requester[number]] += rates[number].dataInUsd();
    }
  }

  /** Whether {@link #byReady} holds: it does until more are requested. */
  boolean isOrdered() {
    return isOrdered;
  }

  /** Puts {@link #byReady} in order, if it is not. */
  void order(KeySorter sorter) {
    if (!isOrdered) {
      System.arraycopy(active, 0, byReady, 0, held);
      sorter.sort(byReady, held, readyS, joinsFirst);
      isOrdered = true;
    }
  }

  /** Notes what an instance did in the group under way. */
  void work(int number, double used, double busy) {
    usedNowS[number] = used;
    usedS[number] += used;
    busyS[number] += busy;
  }

  /** Leaves the instance without work for the rest of the plan. */
  void park(int number) {
    parked[parkedCount++] = number;
  }

  /** Books on {@code group} what all instances cost that are held from its start to its end. */
  void book(int group, double startS, double endS) {
    double sumUsd = ledger.groupUsd[group];
    for (int i = 0; i < held; i++) {
      sumUsd += usdOf(active[i], startS, endS);
    }
    for (int i = 0; i < parkedCount; i++) {
      sumUsd += usdOf(parked[i], startS, endS);
    }
    ledger.groupUsd[group] = sumUsd;
  }

  /** What an instance held from {@code fromS} to {@code toS} costs the group under way. */
  private double usdOf(int number, double fromS, double toS) {
    Rates rate = rates[number];
    double usableS = toS - (readyS[number] > fromS ? readyS[number] : fromS);
    double readyForS = usableS > 0 ? usableS : 0;
    double usd = (rate.useOnly() ? usedNowS[number] : readyForS) * rate.usdPerS();
    usedNowS[number] = 0;
    bookedUsd[number] += usd;
    return usd + readyForS * rate.diskUsdPerS();
  }

  /**
   * Releases an instance in {@code group} and settles its bill: its boot goes to the group that
   * requested it, what rounding and minimum add to the one that releases it.
   */
  void release(int number, int group, double fromS, double atS) {
    ledger.groupUsd[group] += usdOf(number, fromS, atS);
    releasedS[number] = atS;
    releaser[number] = group;
    if (!Billing.reachedRunning(runningS[number], atS)) {
      return;
    }
    Rates rate = rates[number];
    double heldS = atS - runningS[number];
    double bootS = Math.min(readyS[number], atS) - runningS[number];
    double countedS = rate.useOnly() ? usedS[number] : heldS;
    double usd = Billing.billedSeconds(rate.terms(), countedS) * rate.usdPerS();
    double bootUsd = rate.useOnly() ? 0 : bootS * rate.usdPerS();
    double usedUsd = (rate.useOnly() ? usedS[number] : busyS[number]) * rate.usdPerS();
    ledger.bill(usd, bootUsd, usedUsd);
    ledger.otherUsd += rate.perUseUsd() + heldS * rate.diskUsdPerS();
    ledger.groupUsd[requester[number]] += bootUsd + bootS * rate.diskUsdPerS() + rate.perUseUsd();
    ledger.groupUsd[group] += usd - bootUsd - bookedUsd[number];
  }

  /** Whether the instance is ready at {@code atS}. */
  boolean isReady(int number, double atS) {
    return readyS[number] <= atS;
  }
}
