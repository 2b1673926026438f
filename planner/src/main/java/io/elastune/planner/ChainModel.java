package io.elastune.planner;

import io.elastune.core.Spread;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The mean-value model of one chain: durations and costs of its trials on every size of the menu,
 * without sampling.
 *
 * <p>Without spread these are the simulator's own numbers. With spread they approximate it at a
 * cost that a search can afford: every random quantity has its mean, and the times at which slots
 * become free also have a variance ({@link Schedule}). Plans found with this model are evaluated by
 * sampling afterwards.
 */
final class ChainModel {
  private final Chain chain;
  private final Menu menu;
  private final Spreads spreads;
  private final Start start;
  private final SearchParameters parameters;
  private final double[][] workS;
  private final double[][] trialS;
  private final Deviation[][] deviation;
  private final double[] readyVariance;
  private final double[] fastest;
  private final double[][] leastTrialS;
  private final double[][] leastUsd;
  private final double safety;
  private final double clockUsdPerS;
  private final List<List<Size>> sizesByRental = new ArrayList<>();

  /** Which spread the model takes into account. */
  enum Spreads {
    /** All coefficients of variation are zero. */
    NONE,
    /** As in the profile; a plan completes after its mean time. */
    MEAN,
    /**
     * As in the profile; a plan completes after the time that it meets with the required
     * confidence.
     */
    CONFIDENT
  }

  /**
   * @param confidence with which the chain must complete in time
   * @param clockUsdPerS dollars per second until completion, for controller and checkpoints
   * @param start the instances it holds at its start
   */
  ChainModel(
      Chain chain,
      Menu menu,
      Spreads spreads,
      double confidence,
      double clockUsdPerS,
      Start start,
      SearchParameters parameters) {
    this.parameters = parameters;
    this.start = start;
    this.chain = chain;
    this.menu = menu;
    this.spreads = spreads;
    this.clockUsdPerS = clockUsdPerS;
    this.safety = spreads == Spreads.CONFIDENT ? Math.max(0, Normal.quantile(confidence)) : 0;
    int groups = chain.groups().size();
    workS = new double[groups][menu.sizes().size()];
    trialS = new double[groups][menu.sizes().size()];
    deviation = new Deviation[groups][menu.sizes().size()];
    leastTrialS = new double[groups][menu.sizes().size()];
    leastUsd = new double[groups][menu.sizes().size()];
    readyVariance = new double[menu.rentals().size()];
    fastest = new double[menu.rentals().size()];
    for (Rental rental : menu.rentals()) {
      int leases = rental.most() * groups;
      fastest[rental.index()] =
          varies(rental) ? Deviation.leastInstanceFactor(rental.profile(), leases) : 1;
      if (spreads != Spreads.NONE) {
        readyVariance[rental.index()] =
            variance(rental.offer().queueS()) + variance(rental.offer().bootS());
      }
      sizesByRental.add(
          menu.sizes().stream().filter(size -> size.rental().equals(rental)).toList());
    }
    for (int group = 0; group < groups; group++) {
      int units = chain.groups().get(group).units();
      for (Size size : menu.sizes()) {
        double seconds = units * unitS(size.rental().profile(), size);
        workS[group][size.index()] = seconds;
        trialS[group][size.index()] = size.rental().profile().startupS().mean() + seconds;
        double leastS = size.rental().profile().startupS().mean() + leastWorkS(group, size);
        leastTrialS[group][size.index()] = leastS;
        leastUsd[group][size.index()] =
            trials(group) * leastS * size.share() * size.rental().usdPerS();
        deviation[group][size.index()] = Deviation.NONE;
        if (spreads != Spreads.NONE) {
          trialS[group][size.index()] += slowestOfTeamS(size, seconds);
          deviation[group][size.index()] = Deviation.of(size, seconds, units);
        }
      }
    }
  }

  /** A team is as slow as the slowest of its instances. */
  private static double slowestOfTeamS(Size size, double workS) {
    double deviation = Math.sqrt(Deviation.instanceVariance(size.rental().profile()));
    return size.team() == 1 ? 0 : workS * deviation * Normal.maximum(size.team());
  }

  private static double variance(Spread spread) {
    double deviation = spread.mean() * spread.cv();
    return deviation * deviation;
  }

  private static double unitS(Profile profile, Size size) {
    return profile.secondsPerUnit(size.gpusPerTrial(), size.trialsPerGpu()).orElseThrow();
  }

  /** Returns the size of an allocation, or nothing if it is not on the menu. */
  Optional<Size> size(Allocation allocation) {
    int instances = allocation.instances();
    return menu.sizes().stream()
        .filter(size -> instances <= size.rental().most())
        .filter(size -> allocation(size, instances).equals(allocation))
        .findFirst();
  }

  /** The part of its completion time by which a plan may complete earlier than this model says. */
  double doubt() {
    return spreads == Spreads.CONFIDENT ? parameters.meanValues().completionErrorRatio() : 0;
  }

  /** The constants of the search. */
  SearchParameters parameters() {
    return parameters;
  }

  /** The instances it holds at its start. */
  Start start() {
    return start;
  }

  Chain chain() {
    return chain;
  }

  Menu menu() {
    return menu;
  }

  int groups() {
    return chain.groups().size();
  }

  TrialGroup group(int group) {
    return chain.groups().get(group);
  }

  int trials(int group) {
    return chain.groups().get(group).trials();
  }

  double clockUsdPerS() {
    return clockUsdPerS;
  }

  /**
   * Mean seconds of one trial without its start-up, where instances differ in speed and all trials
   * run on the fastest of all leases.
   */
  double leastWorkS(int group, Size size) {
    return workS[group][size.index()] * fastest[size.rental().index()];
  }

  /** Least mean seconds of one trial, start-up included. */
  double leastTrialS(int group, Size size) {
    return leastTrialS[group][size.index()];
  }

  /** Least mean dollars of all trials of a group on a size. */
  double leastUsd(int group, Size size) {
    return leastUsd[group][size.index()];
  }

  /** Whether any quantity of the rental varies in this model. */
  boolean varies(Rental rental) {
    return spreads != Spreads.NONE && rental.varies();
  }

  /** Mean seconds of one trial, start-up included. */
  double trialS(int group, Size size) {
    return trialS[group][size.index()];
  }

  /** The spread of the duration of a trial. */
  Deviation deviation(int group, Size size) {
    return deviation[group][size.index()];
  }

  /** Variance of the time at which an instance becomes ready, in seconds squared. */
  double readyVariance(Rental rental) {
    return readyVariance[rental.index()];
  }

  /**
   * Seconds within which something of a mean and a variance completes with the required confidence;
   * the mean itself where the model uses only means.
   */
  double safeS(double meanS, double varianceS2) {
    return varianceS2 == 0 ? meanS : meanS + safety * Math.sqrt(varianceS2);
  }

  /** Dollars spent up to a barrier; leases in progress are billed by the exact second. */
  double spentUsd(Held before) {
    double usd = before.costUsd() + before.timeS() * clockUsdPerS;
    if (before.count() == 0) {
      return usd;
    }
    Rental rental = menu.rentals().get(before.rental());
    for (int block = 0; block < before.blocks(); block++) {
      double heldS = before.timeS() - before.runningS()[block];
      usd += before.counts()[block] * rental.accruedUsd(heldS, before.usedS()[block]);
    }
    return usd;
  }

  Allocation allocation(Size size, int instances) {
    return new Allocation(
        size.rental().offer().name(), instances, size.gpusPerTrial(), size.trialsPerGpu());
  }

  /** Adds the allocations of a plan for this chain to {@code allocations}, by group name. */
  void putInto(Map<String, Allocation> allocations, Draft draft) {
    for (int group = 0; group < groups(); group++) {
      Size size = draft.sizes().get(group);
      allocations.put(group(group).name(), allocation(size, draft.instances().get(group)));
    }
  }

  /** The sizes of one rental. */
  List<Size> sizesOf(int rental) {
    return sizesByRental.get(rental);
  }
}
