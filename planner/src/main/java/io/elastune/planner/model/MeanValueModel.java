package io.elastune.planner.model;

import io.elastune.core.Spread;
import io.elastune.core.allocation.CheckpointSchedule;
import io.elastune.core.allocation.TrialsAtOnce;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The mean-value model of one chain: durations and costs of its trials on every size of the choice
 * set, without sampling.
 *
 * <p>Without spread these are the simulator's own numbers. With spread they approximate it at a
 * cost that a search can afford: every random quantity has its mean, and the times at which slots
 * become free also have a variance ({@link BatchListScheduler}). Plans found with this model are
 * evaluated by sampling afterwards.
 */
public final class MeanValueModel {
  private final Chain chain;
  private final ChoiceSet choiceSet;
  private final SpreadMode spreadMode;
  private final InitialHoldings initialHoldings;
  private final SearchParameters parameters;
  private final double[][] workS;
  private final double[][] trialS;
  private final DurationSpread[][] durationSpread;
  private final GroupFaults[][] faults;
  private final double[] readyVariance;
  private final double[] fastest;
  private final double[] leastSlowdown;
  private final double[][] leastTrialS;
  private final double[][] leastUsd;
  private final double safety;
  private final double clockUsdPerS;
  private final List<List<TrialShape>> sizesByRental = new ArrayList<>();

  /** Which spread the model takes into account. */
  public enum SpreadMode {
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
   * @param initialHoldings the instances it holds at its start
   */
  public MeanValueModel(
      Chain chain,
      ChoiceSet choiceSet,
      SpreadMode spreadMode,
      double confidence,
      double clockUsdPerS,
      InitialHoldings initialHoldings,
      SearchParameters parameters) {
    this.parameters = parameters;
    this.initialHoldings = initialHoldings;
    this.chain = chain;
    this.choiceSet = choiceSet;
    this.spreadMode = spreadMode;
    this.clockUsdPerS = clockUsdPerS;
    this.safety =
        spreadMode == SpreadMode.CONFIDENT ? Math.max(0, StandardNormal.quantile(confidence)) : 0;
    int groups = chain.groups().size();
    workS = new double[groups][choiceSet.trialShapes().size()];
    trialS = new double[groups][choiceSet.trialShapes().size()];
    durationSpread = new DurationSpread[groups][choiceSet.trialShapes().size()];
    faults = new GroupFaults[groups][choiceSet.trialShapes().size()];
    leastTrialS = new double[groups][choiceSet.trialShapes().size()];
    leastUsd = new double[groups][choiceSet.trialShapes().size()];
    readyVariance = new double[choiceSet.offerChoices().size()];
    fastest = new double[choiceSet.offerChoices().size()];
    for (OfferChoice offerChoice : choiceSet.offerChoices()) {
      int leases = offerChoice.maxInstances() * groups;
      fastest[offerChoice.index()] =
          varies(offerChoice) ? InstanceFactors.least(offerChoice.profile(), leases) : 1;
      if (spreadMode != SpreadMode.NONE) {
        readyVariance[offerChoice.index()] =
            variance(offerChoice.offer().queueS()) + variance(offerChoice.offer().bootS());
      }
      sizesByRental.add(
          choiceSet.trialShapes().stream()
              .filter(trialShape -> trialShape.offerChoice().equals(offerChoice))
              .toList());
    }
    leastSlowdown = new double[choiceSet.trialShapes().size()];
    for (TrialShape trialShape : choiceSet.trialShapes()) {
      OfferChoice offerChoice = trialShape.offerChoice();
      leastSlowdown[trialShape.index()] =
          TrialsAtOnce.leastSlowdown(
              offerChoice.profile(), offerChoice.offer(), allocation(trialShape, 1));
    }
    for (int group = 0; group < groups; group++) {
      int units = chain.groups().get(group).units();
      boolean fromScratch = chain.groups().get(group).fromScratch();
      for (TrialShape trialShape : choiceSet.trialShapes()) {
        CheckpointSchedule checkpoints = checkpoints(chain.groups().get(group), trialShape);
        double seconds =
            units * unitS(trialShape.offerChoice().profile(), trialShape) + checkpoints.overheadS();
        workS[group][trialShape.index()] = seconds;
        trialS[group][trialShape.index()] =
            trialShape.offerChoice().profile().startupS().mean() + seconds;
        double leastS =
            (trialShape.offerChoice().profile().startupS().mean()
                        - waitingStartupS(group, trialShape))
                    * leastSlowdown[trialShape.index()]
                + leastWorkS(group, trialShape);
        leastTrialS[group][trialShape.index()] = leastS;
        leastUsd[group][trialShape.index()] =
            trials(group) * leastS * trialShape.share() * trialShape.offerChoice().usdPerS();
        durationSpread[group][trialShape.index()] = DurationSpread.NONE;
        faults[group][trialShape.index()] =
            spreadMode == SpreadMode.NONE
                ? GroupFaults.NONE
                : GroupFaults.of(trialShape, seconds, units, fromScratch, checkpoints);
        if (spreadMode != SpreadMode.NONE) {
          trialS[group][trialShape.index()] += slowestOfTeamS(trialShape, seconds);
          durationSpread[group][trialShape.index()] = DurationSpread.of(trialShape, seconds, units);
        }
      }
    }
  }

  /** A team is as slow as the slowest of its instances. */
  private static double slowestOfTeamS(TrialShape trialShape, double workS) {
    double deviation =
        Math.sqrt(DurationSpread.instanceVariance(trialShape.offerChoice().profile()));
    return trialShape.team() == 1
        ? 0
        : workS * deviation * StandardNormal.maximum(trialShape.team());
  }

  private static double variance(Spread spread) {
    double deviation = spread.mean() * spread.cv();
    return deviation * deviation;
  }

  private static CheckpointSchedule checkpoints(TrialGroup group, TrialShape trialShape) {
    OfferChoice offerChoice = trialShape.offerChoice();
    return CheckpointSchedule.of(
        group, offerChoice.offer(), offerChoice.profile(), allocation(trialShape, 1));
  }

  private static double unitS(Profile profile, TrialShape trialShape) {
    return profile
        .secondsPerUnit(trialShape.gpusPerTrial(), trialShape.trialsPerGpu())
        .orElseThrow();
  }

  /** Returns the size of an allocation, or nothing if it is not in the choice set. */
  Optional<TrialShape> size(Allocation allocation) {
    int instances = allocation.instances();
    return choiceSet.trialShapes().stream()
        .filter(trialShape -> instances <= trialShape.offerChoice().maxInstances())
        .filter(trialShape -> allocation(trialShape, instances).equals(allocation))
        .findFirst();
  }

  /** The part of its completion time by which a plan may complete earlier than this model says. */
  public double completionErrorRatio() {
    return spreadMode == SpreadMode.CONFIDENT ? parameters.meanValues().completionErrorRatio() : 0;
  }

  /** The constants of the search. */
  public SearchParameters parameters() {
    return parameters;
  }

  /** The instances it holds at its start. */
  public InitialHoldings start() {
    return initialHoldings;
  }

  public Chain chain() {
    return chain;
  }

  public ChoiceSet choiceSet() {
    return choiceSet;
  }

  public int groups() {
    return chain.groups().size();
  }

  TrialGroup group(int group) {
    return chain.groups().get(group);
  }

  public int trials(int group) {
    return chain.groups().get(group).trials();
  }

  public double clockUsdPerS() {
    return clockUsdPerS;
  }

  /**
   * Least mean seconds of one trial without its start-up: alone beside other programs, and where
   * instances differ in speed, on the fastest of all leases.
   */
  double leastWorkS(int group, TrialShape trialShape) {
    return workS[group][trialShape.index()]
        * fastest[trialShape.offerChoice().index()]
        * leastSlowdown[trialShape.index()];
  }

  /**
   * Mean seconds of the start-up that a trial of a group does not need if its program has waited
   * for it; 0 if none waits.
   */
  double waitingStartupS(int group, TrialShape trialShape) {
    return choiceSet.keepAlive() && trialShape.mayWait() && group(group).fromUnit() > 0
        ? trialShape.offerChoice().profile().startupS().mean()
        : 0;
  }

  /** Least mean seconds of one trial, with its start-up unless its program may have waited. */
  double leastTrialS(int group, TrialShape trialShape) {
    return leastTrialS[group][trialShape.index()];
  }

  /** Least mean dollars of all trials of a group on a size. */
  public double leastUsd(int group, TrialShape trialShape) {
    return leastUsd[group][trialShape.index()];
  }

  /** Whether any quantity of the offer varies in this model. */
  boolean varies(OfferChoice offerChoice) {
    return spreadMode != SpreadMode.NONE && offerChoice.varies();
  }

  /** Mean seconds of one trial, start-up included. */
  public double trialS(int group, TrialShape trialShape) {
    return trialS[group][trialShape.index()];
  }

  /**
   * By how much longer the trials of a group take beside other programs if so many instances run
   * them at once.
   */
  double slowdown(int group, TrialShape trialShape, int count) {
    OfferChoice offerChoice = trialShape.offerChoice();
    return offerChoice.profile().load().isEmpty()
        ? 1
        : TrialsAtOnce.slowdown(
            offerChoice.profile(),
            trials(group),
            offerChoice.offer(),
            allocation(trialShape, Math.max(trialShape.team(), count)));
  }

  /** The spread of the duration of a trial. */
  DurationSpread deviation(int group, TrialShape trialShape) {
    return durationSpread[group][trialShape.index()];
  }

  /** The faults of a group on a size; none in a model without spread. */
  GroupFaults faults(int group, TrialShape trialShape) {
    return faults[group][trialShape.index()];
  }

  /** Variance of the time at which an instance becomes ready, in seconds squared. */
  double readyVariance(OfferChoice offerChoice) {
    return readyVariance[offerChoice.index()];
  }

  /**
   * Seconds within which something of a mean and a variance completes with the required confidence;
   * the mean itself where the model uses only means.
   */
  public double safeS(double meanS, double varianceS2) {
    return varianceS2 == 0 ? meanS : meanS + safety * Math.sqrt(varianceS2);
  }

  /** Dollars spent up to a barrier; leases in progress are billed by the exact second. */
  public double spentUsd(HeldInstances before) {
    double usd = before.costUsd() + before.timeS() * clockUsdPerS;
    if (before.count() == 0) {
      return usd;
    }
    OfferChoice offerChoice = choiceSet.offerChoices().get(before.offerChoice());
    for (int block = 0; block < before.blocks(); block++) {
      double heldS = before.timeS() - before.runningS()[block];
      usd += before.counts()[block] * offerChoice.accruedUsd(heldS, before.usedS()[block]);
    }
    return usd;
  }

  private static Allocation allocation(TrialShape trialShape, int instances) {
    return new Allocation(
        trialShape.offerChoice().offer().name(),
        instances,
        trialShape.gpusPerTrial(),
        trialShape.trialsPerGpu());
  }

  /** Adds the allocations of a plan for this chain to {@code allocations}, by group name. */
  public void putInto(Map<String, Allocation> allocations, ChainCandidate chainCandidate) {
    for (int group = 0; group < groups(); group++) {
      TrialShape trialShape = chainCandidate.sizes().get(group);
      allocations.put(
          group(group).name(), allocation(trialShape, chainCandidate.instances().get(group)));
    }
  }

  /** The sizes of one offer. */
  public List<TrialShape> sizesOf(int offerChoice) {
    return sizesByRental.get(offerChoice);
  }
}
