package io.elastune.simulator.group;

import io.elastune.core.allocation.TeamMember;
import io.elastune.simulator.fault.FaultHazards;
import io.elastune.simulator.fault.LossClocks;
import io.elastune.simulator.instance.CostTotals;
import io.elastune.simulator.instance.LeaseDraws;
import io.elastune.simulator.instance.LeasePlan;
import io.elastune.simulator.instance.OfferRates;
import io.elastune.simulator.instance.Provisioning;
import java.util.Arrays;
import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * Tracks the leases of one chain in one sample: when each is running and ready, its work and its
 * cost. Arrays are indexed by the instance's number, in order of request. Times are in seconds from
 * the start of the plan.
 */
public final class Cluster {
  /** Marks an instance that is released at the end of its group. */
  static final int GROUP_END = -1;

  /** Time at which each instance is ready. */
  double[] readyS;

  /** Factor by which training on each instance is slower than in the profile. */
  double[] slowness;

  /** Time at which each instance was, or would have been, running. */
  double[] runningS;

  /** Time at which each instance was released; {@link #releaser} has the group. */
  double[] releasedS;

  int[] releaser;

  /**
   * In groups with spare instances, by released instance: the one that became idle at the moment of
   * its release, or {@link #GROUP_END}.
   */
  int[] releasedWith;

  /** Numbers of the held instances in use, ascending: the first {@link #held} entries. */
  int[] active;

  int held;

  /** The same numbers in the order of (ready time, number), after {@link #order}. */
  int[] byReady;

  private boolean isOrdered;

  /** Numbers of the instances that a plan with {@code hold} keeps without using them. */
  int[] parked;

  int parkedCount;

  /** Time at which each instance becomes idle for the current group. */
  double[] idleS;

  /** Number of the first instance that the current group requested. */
  int firstNew;

  /** The faults in this sample, so far. */
  private int faults;

  /**
   * By instance: when a fault strikes it, or one that takes its place after a failed boot, if it is
   * held so long.
   */
  private double[] lossS;

  /** By instance: the faults that have struck it and did not count. */
  private int[] uncounted;

  /** The draws of the leases. */
  final LeaseDraws draws;

  private final CostTotals costTotals;
  private final LeasePlan leasePlan;
  private final boolean hasFaults;

  // By planned lease.
  private final OfferRates[] plannedRates;
  private final int[] plannedRequester;
  private final FaultHazards[] plannedHazards;
  private final IntFunction<FaultHazards> hazards = this::hazards;

  // By instance.
  private int[] plannedLease;
  private OfferRates[] offerRates;
  private int[] requester;
  // By instance: time of its request, and its failed boots from then on.
  private double[] requestedS;
  private double[][] failedBoots;
  // Sums over the groups of a lease: seconds in which a trial ran, the same weighted by the
  // fraction of GPUs in use, and the cost attributed to groups so far.
  private double[] usedS;
  private double[] busyS;
  private double[] bookedUsd;
  // Seconds in which a trial ran in the current group.
  private double[] usedNowS;
  private int requested;
  private int planned;
  private final KeySorter.TieRule joinsFirst;

  Cluster(LeasePlan leases, CostTotals costTotals) {
    this.costTotals = costTotals;
    leasePlan = leases;
    plannedRates = leases.rates();
    plannedRequester = leases.requesters();
    plannedHazards = leases.hazards();
    hasFaults = Stream.of(plannedHazards).anyMatch(hazards -> hazards.instancePerS() > 0);
    draws = new LeaseDraws(leases, leases.samples());
    joinsFirst = (a, b) -> TeamMember.before(readyS[a], a, readyS[b], b);
    int size = leases.size();
    plannedLease = new int[size];
    offerRates = plannedRates.clone();
    requester = plannedRequester.clone();
    requestedS = new double[size];
    failedBoots = new double[size][];
    Arrays.fill(failedBoots, Provisioning.NONE);
    readyS = new double[size];
    slowness = new double[size];
    runningS = new double[size];
    lossS = new double[size];
    uncounted = new int[size];
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

  /** Makes room for replacements, which have the next numbers. */
  private void reserve(int size) {
    int before = plannedLease.length;
    if (size <= before) {
      return;
    }
    int room = Math.max(size, 2 * before);
    plannedLease = Arrays.copyOf(plannedLease, room);
    offerRates = Arrays.copyOf(offerRates, room);
    requester = Arrays.copyOf(requester, room);
    requestedS = Arrays.copyOf(requestedS, room);
    failedBoots = Arrays.copyOf(failedBoots, room);
    Arrays.fill(failedBoots, before, room, Provisioning.NONE);
    readyS = Arrays.copyOf(readyS, room);
    slowness = Arrays.copyOf(slowness, room);
    runningS = Arrays.copyOf(runningS, room);
    lossS = Arrays.copyOf(lossS, room);
    uncounted = Arrays.copyOf(uncounted, room);
    releasedS = Arrays.copyOf(releasedS, room);
    releaser = Arrays.copyOf(releaser, room);
    releasedWith = Arrays.copyOf(releasedWith, room);
    active = Arrays.copyOf(active, room);
    byReady = Arrays.copyOf(byReady, room);
    parked = Arrays.copyOf(parked, room);
    idleS = Arrays.copyOf(idleS, room);
    usedS = Arrays.copyOf(usedS, room);
    busyS = Arrays.copyOf(busyS, room);
    bookedUsd = Arrays.copyOf(bookedUsd, room);
    usedNowS = Arrays.copyOf(usedNowS, room);
  }

  /** Resets to no leases. */
  void reset() {
    requested = 0;
    planned = 0;
    faults = 0;
    held = 0;
    parkedCount = 0;
  }

  /**
   * The instances that are held between two groups, those in use first, and what the next groups
   * need of those before. It is not modified.
   */
  // Arrays, because the sampling loop copies them; equality of these records is not used.
  @SuppressWarnings("ArrayRecordComponent")
  record State(
      int requested,
      int planned,
      int faults,
      int held,
      int[] ints,
      double[] doubles,
      double[][] failedBoots) {
    private static final int INTS = 4;
    private static final int DOUBLES = 8;

    private State(int requested, int planned, int faults, int held, int all) {
      this(
          requested,
          planned,
          faults,
          held,
          new int[INTS * all],
          new double[DOUBLES * all],
          new double[all][]);
    }

    /** Returns about how much memory it takes. */
    long bytes() {
      return (long) Integer.BYTES * ints.length
          + (long) Double.BYTES * (doubles.length + failedBoots.length);
    }
  }

  /** Returns the state between two groups. */
  State state() {
    State state = new State(requested, planned, faults, held, held + parkedCount);
    for (int i = 0; i < held + parkedCount; i++) {
      int number = i < held ? active[i] : parked[i - held];
      int at = State.INTS * i;
      state.ints[at] = number;
      state.ints[at + 1] = plannedLease[number];
      state.ints[at + 2] = requester[number];
      state.ints[at + 3] = uncounted[number];
      at = State.DOUBLES * i;
      state.doubles[at] = requestedS[number];
      state.doubles[at + 1] = runningS[number];
      state.doubles[at + 2] = readyS[number];
      state.doubles[at + 3] = slowness[number];
      state.doubles[at + 4] = lossS[number];
      state.doubles[at + 5] = usedS[number];
      state.doubles[at + 6] = busyS[number];
      state.doubles[at + 7] = bookedUsd[number];
      state.failedBoots[i] = failedBoots[number];
    }
    return state;
  }

  /** Sets the state to an earlier one, perhaps of another plan with the same first groups. */
  void restore(State state) {
    requested = state.requested;
    planned = state.planned;
    faults = state.faults;
    held = state.held;
    parkedCount = state.failedBoots.length - held;
    isOrdered = false;
    reserve(requested);
    for (int i = 0; i < held + parkedCount; i++) {
      int at = State.INTS * i;
      int number = state.ints[at];
      if (i < held) {
        active[i] = number;
      } else {
        parked[i - held] = number;
      }
      plannedLease[number] = state.ints[at + 1];
      offerRates[number] = plannedRates[plannedLease[number]];
      requester[number] = state.ints[at + 2];
      uncounted[number] = state.ints[at + 3];
      at = State.DOUBLES * i;
      requestedS[number] = state.doubles[at];
      runningS[number] = state.doubles[at + 1];
      readyS[number] = state.doubles[at + 2];
      slowness[number] = state.doubles[at + 3];
      lossS[number] = state.doubles[at + 4];
      usedS[number] = state.doubles[at + 5];
      busyS[number] = state.doubles[at + 6];
      bookedUsd[number] = state.doubles[at + 7];
      usedNowS[number] = 0;
      failedBoots[number] = state.failedBoots[i];
    }
  }

  /** Requests {@code count} more instances; each draws its own times and slowness. */
  void request(int count, double atS, int sample) {
    firstNew = requested;
    if (count == 0) {
      return;
    }
    isOrdered = false;
    int row = draws.row(sample);
    reserve(requested + count);
    for (int i = 0; i < count; i++) {
      int lease = planned++;
      int at = row + lease;
      start(
          requested++,
          lease,
          plannedRequester[lease],
          atS,
          draws.provisioning(at),
          draws.slowness[at],
          hasFaults ? draws.hazards[at] : 0);
    }
  }

  private void start(
      int number,
      int lease,
      int group,
      double atS,
      Provisioning times,
      double slow,
      double hazard) {
    plannedLease[number] = lease;
    offerRates[number] = plannedRates[lease];
    requester[number] = group;
    usedS[number] = 0;
    busyS[number] = 0;
    bookedUsd[number] = 0;
    usedNowS[number] = 0;
    requestedS[number] = atS;
    failedBoots[number] = times.failedBoots();
    runningS[number] = atS + times.queuingS();
    readyS[number] = runningS[number] + times.bootingS();
    slowness[number] = slow;
    active[held++] = number;
    isOrdered = false;
    uncounted[number] = 0;
    double perS = hasFaults ? hazards(number).instancePerS() : 0;
    lossS[number] =
        perS == 0 ? Double.POSITIVE_INFINITY : times.afterRunningS(atS, 0, atS, hazard / perS);
    costTotals.addData(group, offerRates[number].dataInUsd());
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
    costTotals.bill(
        offerRates[number],
        requester[number],
        group,
        runningS[number],
        readyS[number],
        atS,
        usedS[number],
        busyS[number],
        bookedUsd[number]);
  }

  /** Computes the bills of the instances whose boots failed, all for the group that requested. */
  private void billFailedBoots(int number, double atS) {
    OfferRates rate = offerRates[number];
    double[] times = failedBoots[number];
    for (int i = 0; i < times.length; i += 2) {
      double bootedS = requestedS[number] + times[i];
      double failedS = bootedS + times[i + 1];
      int of = requester[number];
      costTotals.bill(rate, of, of, bootedS, failedS, Math.min(failedS, atS), 0, 0, 0);
      if (failedS <= atS) {
        costTotals.addData(of, rate.dataInUsd());
      }
    }
  }

  private Provisioning provisioning(int number) {
    return new Provisioning(
        failedBoots[number],
        runningS[number] - requestedS[number],
        readyS[number] - runningS[number]);
  }

  /** Returns when the first of the instances that are held now is lost, if held so long. */
  double firstLossS() {
    double firstS = Double.POSITIVE_INFINITY;
    for (int i = 0; hasFaults && i < held; i++) {
      firstS = Math.min(firstS, lossS[active[i]]);
    }
    for (int i = 0; hasFaults && i < parkedCount; i++) {
      firstS = Math.min(firstS, lossS[parked[i]]);
    }
    return firstS;
  }

  /** Returns the number of instances that were requested so far. */
  int requested() {
    return requested;
  }

  /** Counts a fault of the chain in the sample; returns whether it occurs. */
  boolean countFault() {
    boolean occurs = faults < FaultHazards.MOST_FAULTS;
    faults += occurs ? 1 : 0;
    return occurs;
  }

  /**
   * Returns when a fault strikes an instance, if it is held so long; infinite once it is removed.
   */
  double lossS(int number) {
    return lossS[number];
  }

  /**
   * Returns what the fault does that strikes an instance at {@code atS}. If nothing is lost, the
   * clock of the instance has begun again.
   */
  LossClocks.Losses losses(int number, double atS, int sample) {
    if (!countFault()) {
      lossS[number] = Double.POSITIVE_INFINITY;
      return LossClocks.Losses.NONE;
    }
    LossClocks.Losses losses =
        leasePlan.clocks(sample).losses(number, uncounted[number], running(atS), hazards);
    if (losses.lost().length == 0) {
      uncounted[number]++;
      double lastsS = losses.nextHazard() / hazards(number).instancePerS();
      lossS[number] = provisioning(number).afterRunningS(requestedS[number], 0, atS, lastsS);
    }
    return losses;
  }

  /** Returns the held instances that are running at {@code atS}, in order of their numbers. */
  private PrimitiveIterator.OfInt running(double atS) {
    if (parkedCount == 0) {
      return new Running(active, held, atS);
    }
    int[] all = Arrays.copyOf(active, held + parkedCount);
    System.arraycopy(parked, 0, all, held, parkedCount);
    Arrays.sort(all);
    return new Running(all, all.length, atS);
  }

  /** Those of some instances that are running at a time. */
  private final class Running implements PrimitiveIterator.OfInt {
    private final int[] numbers;
    private final int count;
    private final double atS;
    private int place;

    Running(int[] numbers, int count, double atS) {
      this.numbers = numbers;
      this.count = count;
      this.atS = atS;
    }

    @Override
    public boolean hasNext() {
      while (place < count && !isRunning(numbers[place], atS)) {
        place++;
      }
      return place < count;
    }

    @Override
    public int nextInt() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return numbers[place++];
    }
  }

  private boolean isRunning(int number, double atS) {
    boolean isRunning = runningS[number] <= atS;
    double[] times = failedBoots[number];
    for (int i = 0; i < times.length; i += 2) {
      double bootedS = requestedS[number] + times[i];
      isRunning |= bootedS <= atS && atS < bootedS + times[i + 1];
    }
    return isRunning;
  }

  private FaultHazards hazards(int number) {
    return plannedHazards[plannedLease[number]];
  }

  /** Returns whether attempts save a checkpoint after the notice that an instance is preempted. */
  boolean savesAtNotice(int number) {
    return hazards(number).savesAtNotice();
  }

  /** Requests an instance that replaces a lost one, and returns its number. */
  int replace(int lost, int group, double atS, int sample) {
    int number = requested++;
    reserve(requested);
    int lease = plannedLease[lost];
    LeasePlan.Replacement own = leasePlan.replacement(sample, lease, number);
    start(number, lease, group, atS, own.times(), own.slowness(), own.hazard());
    return number;
  }

  /** Removes an instance in use, which is not held any more. */
  void remove(int number) {
    int place = Arrays.binarySearch(active, 0, held, number);
    System.arraycopy(active, place + 1, active, place, held - place - 1);
    held--;
    isOrdered = false;
    lossS[number] = Double.POSITIVE_INFINITY;
  }

  /** Removes an instance if it is held without use; returns whether it is. */
  boolean removeParked(int number) {
    int place = 0;
    while (place < parkedCount && parked[place] != number) {
      place++;
    }
    if (place == parkedCount) {
      return false;
    }
    parkedCount--;
    System.arraycopy(parked, place + 1, parked, place, parkedCount - place);
    lossS[number] = Double.POSITIVE_INFINITY;
    return true;
  }

  /** Returns whether the instance is ready at {@code atS}. */
  boolean isReady(int number, double atS) {
    return readyS[number] <= atS;
  }
}
