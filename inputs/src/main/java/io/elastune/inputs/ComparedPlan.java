package io.elastune.inputs;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import java.util.Optional;

/**
 * A plan with which notes compare others: its prediction, or an estimate if there is none yet. The
 * others get as many samples, from the same random numbers. Not thread-safe.
 */
final class ComparedPlan {
  /** Most samples of a plan that was not predicted before. */
  private static final int MOST = 4096;

  private final Problem problem;
  private final Plan plan;
  private Optional<Estimate> estimate;

  ComparedPlan(Problem problem, Plan plan, Optional<Estimate> predicted) {
    this.problem = problem;
    this.plan = plan;
    this.estimate = predicted;
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

  /** Returns the number of samples that so many comparisons have yet to take. */
  int samplesLeft(int comparisons) {
    boolean isSampled = comparisons > 0 && estimate.isEmpty();
    return comparisons * samples() + (isSampled ? samples() : 0);
  }

  private int samples() {
    return estimate.map(Estimate::samples).orElseGet(() -> NoteSampling.samples(problem, MOST));
  }
}
