package io.elastune.simulator;

import io.elastune.core.billing.Billing;

/**
 * A lease in a sample with faults, with its work and its cost. The cost is attributed to groups and
 * categories as in {@link Cluster}.
 */
final class FaultyLease {
  static final double NEVER = Double.POSITIVE_INFINITY;

  final int number;
  final int planned;
  final int requester;
  final OfferRates rates;
  final FaultHazards hazards;
  final double runningS;
  final double readyS;
  final double slowness;

  /** When it fails at the end of its boot; {@link #NEVER} if it does not. */
  final double bootFailsS;

  /** Whether it was released; then it is not used again. */
  boolean isReleased;

  /** Whether it belongs to a team of the present group. */
  boolean inTeam;

  /** Its running attempts. */
  int attempts;

  /** The end of its last attempt, or the start of the group. */
  double lastEndS;

  private final Boot boot;
  private final CostTotals costTotals;
  private double usedSinceS;
  private double usedS;
  private double usedNowS;
  private double busyS;
  private double bookedUsd;
  private double lossS = NEVER;
  private int uncounted;

  /**
   * Creates a lease.
   *
   * @param number its number in order of request
   * @param planned the planned lease whose distributions it has
   * @param requester the group that requests it
   */
  private FaultyLease(
      int number,
      int planned,
      OfferRates rates,
      FaultHazards hazards,
      int requester,
      Boot boot,
      CostTotals costTotals) {
    this.number = number;
    this.planned = planned;
    this.rates = rates;
    this.hazards = hazards;
    this.requester = requester;
    this.boot = boot;
    this.runningS = boot.times().runningS(boot.requestedS(), boot.failed());
    this.readyS = boot.times().readyS(boot.requestedS(), boot.failed());
    this.bootFailsS = boot.times().fails(boot.failed()) ? readyS : NEVER;
    this.slowness = boot.slowness();
    this.costTotals = costTotals;
  }

  private FaultyLease withDataIn() {
    costTotals.dataUsd += rates.dataInUsd();
    costTotals.groupUsd[requester] += rates.dataInUsd();
    return this;
  }

  /** Returns a lease that is requested now. */
  static FaultyLease requested(
      int number,
      int planned,
      OfferRates rates,
      FaultHazards hazards,
      int requester,
      Boot boot,
      CostTotals costTotals) {
    return new FaultyLease(number, planned, rates, hazards, requester, boot, costTotals)
        .withDataIn();
  }

  /** Returns a lease that was requested before. */
  static FaultyLease held(
      int number,
      int planned,
      OfferRates rates,
      FaultHazards hazards,
      int requester,
      Boot boot,
      CostTotals costTotals) {
    return new FaultyLease(number, planned, rates, hazards, requester, boot, costTotals);
  }

  /**
   * Sets its next fault.
   *
   * @param atS when it strikes the instance, if this is held so long
   * @param before the faults before, none of which counted
   */
  void setLoss(double atS, int before) {
    lossS = atS;
    uncounted = before;
  }

  /** Begins the clock of its faults, which runs while it runs, at {@code fromS}. */
  void startClock(double hazard, double fromS) {
    if (hazards.instancePerS() > 0) {
      double lastsS = hazard / hazards.instancePerS();
      lossS = boot.times().afterRunningS(boot.requestedS(), boot.failed(), fromS, lastsS);
    }
  }

  /** Begins the clock again after a fault that does not count. */
  void surviveFault(double hazard, double nowS) {
    uncounted++;
    startClock(hazard, nowS);
  }

  /**
   * Returns when a fault strikes it, or one that takes its place after a failed boot, if it is held
   * so long; infinite if none does.
   */
  double lossS() {
    return lossS;
  }

  /** Returns how many faults have struck it that did not count. */
  int uncounted() {
    return uncounted;
  }

  double requestedS() {
    return boot.requestedS();
  }

  /** Returns its times without the failed boots before. */
  Provisioning timesLeft() {
    return boot.times().after(boot.failed());
  }

  double usedS() {
    return usedS;
  }

  double busyS() {
    return busyS;
  }

  double bookedUsd() {
    return bookedUsd;
  }

  /**
   * Sets what the lease did until the end of a group.
   *
   * @param used seconds in which a trial ran
   * @param busy the same, weighted by the fraction of GPUs in use
   * @param booked the cost in USD that is attributed to groups
   */
  void resume(double used, double busy, double booked) {
    usedS = used;
    busyS = busy;
    bookedUsd = booked;
  }

  /**
   * When an instance is running and ready, and how slow it is.
   *
   * @param requestedS when the first instance was requested, from the start of the plan
   * @param failed number of failed boots before
   */
  record Boot(double requestedS, Provisioning times, int failed, double slowness) {}

  /**
   * Releases the instance at the end of its failed boot, and returns the one that takes its place.
   */
  FaultyLease afterFailedBoot() {
    release(requester, readyS, bootFailsS);
    Boot next = new Boot(boot.requestedS(), boot.times(), boot.failed() + 1, boot.slowness());
    FaultyLease lease = requested(number, planned, rates, hazards, requester, next, costTotals);
    lease.lastEndS = lastEndS;
    lease.setLoss(lossS, uncounted);
    return lease;
  }

  void attemptStarted(double nowS) {
    if (attempts++ == 0) {
      usedSinceS = nowS;
    }
  }

  /** Records that an attempt ended that used the fraction {@code share} of the GPUs. */
  void attemptEnded(double startedS, double nowS, double share) {
    busyS += (nowS - startedS) * share;
    lastEndS = Math.max(lastEndS, nowS);
    if (--attempts == 0) {
      usedS += nowS - usedSinceS;
      usedNowS += nowS - usedSinceS;
    }
  }

  /** Attributes to {@code group} the cost from its start to its end. */
  void attributeCost(int group, double fromS, double toS) {
    double usableS = Math.max(0, toS - Math.max(readyS, fromS));
    double usd = (rates.useOnly() ? usedNowS : usableS) * rates.usdPerS();
    usedNowS = 0;
    bookedUsd += usd;
    costTotals.groupUsd[group] += usd + usableS * rates.diskUsdPerS();
  }

  /** Releases the instance in {@code group}, which started at {@code fromS}. */
  void release(int group, double fromS, double atS) {
    isReleased = true;
    attributeCost(group, fromS, atS);
    if (!Billing.reachedRunning(runningS, atS)) {
      return;
    }
    double heldS = atS - runningS;
    double bootS = Math.min(readyS, atS) - runningS;
    double countedS = rates.useOnly() ? usedS : heldS;
    double usd = Billing.billedSeconds(rates.terms(), countedS) * rates.usdPerS();
    double bootUsd = rates.useOnly() ? 0 : bootS * rates.usdPerS();
    costTotals.addBill(usd, bootUsd, (rates.useOnly() ? usedS : busyS) * rates.usdPerS());
    costTotals.otherUsd += rates.perUseUsd() + heldS * rates.diskUsdPerS();
    costTotals.groupUsd[requester] += bootUsd + bootS * rates.diskUsdPerS() + rates.perUseUsd();
    // All cost of a failed boot belongs to the group that requested it.
    costTotals.groupUsd[bootFailsS < NEVER ? requester : group] += usd - bootUsd - bookedUsd;
  }
}
