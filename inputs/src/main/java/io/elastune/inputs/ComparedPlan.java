package io.elastune.inputs;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.planner.PairedMean;
import io.elastune.simulator.sample.JointSamples;
import java.util.Optional;

/**
 * A plan with which notes compare others: its prediction, or an estimate if there is none yet. The
 * others get as many samples, from the same random numbers. Not thread-safe.
 */
final class ComparedPlan {
  /** Most samples of a plan that was not predicted before. */
  private static final int MOST = 4096;

  /** Standard error of a difference, as a part of it, at which no more samples are taken. */
  private static final double EXACT = 0.05;

  /** The same where samples are played event by event, which takes long. */
  private static final double EXACT_IF_PLAYED = 0.3;

  /** The same as a part of the mean: half of the error of the mean itself. */
  private static final double NOTICEABLE = 5e-4;

  private final Problem problem;
  private final Plan plan;
  private final Optional<JointSamples> own;
  private Optional<Estimate> estimate;

  /**
   * @param own the samples of the prediction, if they are known
   */
  ComparedPlan(
      Problem problem, Plan plan, Optional<Estimate> predicted, Optional<JointSamples> own) {
    this.problem = problem;
    this.plan = plan;
    this.estimate = predicted;
    this.own = own;
  }

  /** Returns the estimate of the plan. */
  Estimate estimate(NoteSampling sampling) {
    if (estimate.isEmpty()) {
      estimate = Optional.of(sampling.estimate(problem, plan, samples()));
    }
    return estimate.get();
  }

  /** Returns the estimate of another plan or problem. */
  Estimate other(Problem otherProblem, Plan otherPlan, NoteSampling sampling) {
    return sampling.estimate(otherProblem, otherPlan, samples());
  }

  /**
   * Returns by how much the plan takes longer and costs more than in another problem. Where the
   * samples of the plan are known, as few are taken of the other problem as are exact enough.
   */
  MeanDifference differenceTo(Problem otherProblem, NoteSampling sampling) {
    if (own.isPresent()) {
      return differenceTo(own.get(), otherProblem, sampling);
    }
    Estimate with = estimate(sampling);
    Estimate without = other(otherProblem, plan, sampling);
    return new MeanDifference(
        with.completionS().mean() - without.completionS().mean(),
        with.costUsd().mean() - without.costUsd().mean());
  }

  private MeanDifference differenceTo(
      JointSamples with, Problem otherProblem, NoteSampling sampling) {
    JointSamples without =
        sampling.sampledUntil(
            otherProblem,
            plan,
            samples(),
            so ->
                isExact(with.completionS(), so.completionS())
                    && isExact(with.costUsd(), so.costUsd()));
    return new MeanDifference(
        PairedMean.of(with.completionS(), without.completionS()).difference(),
        PairedMean.of(with.costUsd(), without.costUsd()).difference());
  }

  private boolean isExact(double[] with, double[] without) {
    PairedMean paired = PairedMean.of(with, without);
    double exact = NoteSampling.isPlayed(problem) || plan.shared() ? EXACT_IF_PLAYED : EXACT;
    return paired.error()
        <= Math.max(exact * Math.abs(paired.difference()), NOTICEABLE * paired.mean());
  }

  /** Returns the number of samples that so many comparisons have yet to take. */
  int samplesLeft(int comparisons) {
    boolean isSampled = comparisons > 0 && estimate.isEmpty();
    return comparisons * samples() + (isSampled ? samples() : 0);
  }

  private int samples() {
    return estimate.map(Estimate::samples).orElseGet(() -> NoteSampling.samples(problem, MOST));
  }
}
