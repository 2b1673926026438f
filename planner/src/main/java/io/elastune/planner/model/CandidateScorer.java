package io.elastune.planner.model;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import java.util.Arrays;
import java.util.Optional;

/**
 * Computes time and cost of plans for a chain in the mean-value model. Neighbors of a base plan are
 * run only from the group before the first that differs, and each group only if it is not what was
 * run for the neighbor before. Not thread-safe.
 */
public final class CandidateScorer {
  private final MeanValueModel model;
  private final MeanGroupRun[] runs;
  private final HeldInstances[] before;

  // By group: least cost and time of a plan that is varied.
  private final double[] leastUsd;
  private final double[] leastS;
  private double meanS;
  private double completionS;
  private double costUsd;

  public CandidateScorer(MeanValueModel model) {
    this.model = model;
    this.runs = new MeanGroupRun[model.groups()];
    Arrays.setAll(runs, group -> new MeanGroupRun(model));
    this.before = new HeldInstances[model.groups()];
    this.leastUsd = new double[model.groups()];
    this.leastS = new double[model.groups()];
  }

  /** Scores a plan from its start and makes it the base of {@link #varyWithin}. */
  public ChainCandidate score(TrialShape[] trialShapes, int[] instances) {
    HeldInstances heldInstances = begin(trialShapes, instances);
    for (int group = 0; group < trialShapes.length; group++) {
      before[group] = heldInstances;
      runs[group].run(heldInstances, group, trialShapes[group], instances[group]);
      heldInstances = runs[group].release(surplus(trialShapes, instances, group));
    }
    end(heldInstances);
    return candidate(trialShapes, instances);
  }

  /**
   * Scores a plan that equals the base before group {@code from} and is useful only if it costs
   * less than {@code mostUsd} and takes at most {@code latestS}.
   *
   * @return false if it is not useful: it may then not have been scored to its end
   */
  public boolean varyWithin(
      TrialShape[] trialShapes, int[] instances, int from, double mostUsd, double latestS) {
    int first = Math.max(0, from - 1);
    HeldInstances heldInstances = first == 0 ? begin(trialShapes, instances) : before[first];
    double restUsd = 0;
    double restS = 0;
    for (int group = first; group < trialShapes.length; group++) {
      leastUsd[group] = model.leastUsd(group, trialShapes[group]);
      leastS[group] = LowerBound.shortestS(model, group, trialShapes[group], instances[group]);
      restUsd += leastUsd[group];
      restS += leastS[group];
    }
    for (int group = first; group < trialShapes.length; group++) {
      double passedS = model.safeS(heldInstances.timeS(), heldInstances.varianceS2());
      if (model.spentUsd(heldInstances) + restUsd >= mostUsd || passedS + restS > latestS) {
        return false;
      }
      restUsd -= leastUsd[group];
      restS -= leastS[group];
      runs[group].run(heldInstances, group, trialShapes[group], instances[group]);
      heldInstances = runs[group].release(surplus(trialShapes, instances, group));
    }
    end(heldInstances);
    return costUsd < mostUsd && completionS <= latestS;
  }

  /**
   * Scores this chain's part of a plan; returns nothing if an allocation is not in the choice set.
   */
  public Optional<ChainCandidate> score(Plan plan) {
    TrialShape[] trialShapes = new TrialShape[model.groups()];
    int[] instances = new int[model.groups()];
    for (int group = 0; group < trialShapes.length; group++) {
      Allocation allocation = plan.of(model.group(group));
      Optional<TrialShape> trialShape = model.size(allocation);
      if (trialShape.isEmpty()) {
        return Optional.empty();
      }
      trialShapes[group] = trialShape.get();
      instances[group] = allocation.instances();
    }
    return Optional.of(score(trialShapes, instances));
  }

  private HeldInstances begin(TrialShape[] trialShapes, int[] instances) {
    return model.start().forGroup(trialShapes[0].offerChoice(), instances[0]);
  }

  private void end(HeldInstances heldInstances) {
    meanS = heldInstances.timeS();
    completionS = model.safeS(meanS, heldInstances.varianceS2());
    costUsd = heldInstances.costUsd() + meanS * model.clockUsdPerS();
  }

  /** Returns the plan last scored. */
  public ChainCandidate candidate(TrialShape[] trialShapes, int[] instances) {
    return ChainCandidate.of(trialShapes, instances, completionS, meanS, costUsd);
  }

  private static int surplus(TrialShape[] trialShapes, int[] instances, int group) {
    int next = group + 1;
    if (next == trialShapes.length
        || !trialShapes[next].offerChoice().equals(trialShapes[group].offerChoice())) {
      return instances[group];
    }
    return Math.max(0, instances[group] - instances[next]);
  }

  /** Mean seconds of the plan last scored. */
  public double meanS() {
    return meanS;
  }

  /**
   * Seconds of the plan last scored, as limits and frontiers count them ({@link ChainCandidate}).
   */
  public double completionS() {
    return completionS;
  }

  /** Mean dollars of the plan last scored. */
  public double costUsd() {
    return costUsd;
  }

  /** Scores the best static cluster of {@code instances}: each group with its fastest size. */
  public ChainCandidate scoreStatic(OfferChoice offerChoice, int instances) {
    TrialShape[] trialShapes = new TrialShape[model.groups()];
    int[] counts = new int[model.groups()];
    HeldInstances heldInstances = model.start().forGroup(offerChoice, instances);
    for (int group = 0; group < trialShapes.length; group++) {
      counts[group] = instances;
      trialShapes[group] = fastestSize(heldInstances, group, offerChoice, instances);
      runs[group].run(heldInstances, group, trialShapes[group], instances);
      if (group < trialShapes.length - 1) {
        heldInstances = runs[group].release(0);
      }
    }
    MeanGroupRun last = runs[trialShapes.length - 1];
    meanS = last.endS();
    completionS = model.safeS(meanS, last.endS2());
    costUsd = last.heldToTheEndUsd() + meanS * model.clockUsdPerS();
    return candidate(trialShapes, counts);
  }

  private TrialShape fastestSize(
      HeldInstances heldInstances, int group, OfferChoice offerChoice, int instances) {
    TrialShape best = null;
    double bestS = Double.POSITIVE_INFINITY;
    for (TrialShape trialShape : model.sizesOf(offerChoice.index())) {
      if (trialShape.team() <= instances) {
        runs[group].run(heldInstances, group, trialShape, instances);
        if (runs[group].endS() < bestS - TimeAndCost.TOLERANCE) {
          bestS = runs[group].endS();
          best = trialShape;
        }
      }
    }
    if (best == null) {
      throw new IllegalArgumentException(
          "no size of " + offerChoice.offer().name() + " fits " + instances + " instances");
    }
    return best;
  }
}
