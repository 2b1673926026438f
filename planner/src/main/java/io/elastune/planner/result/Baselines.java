package io.elastune.planner.result;

import io.elastune.core.plan.Limits;
import io.elastune.planner.api.Baseline;
import io.elastune.planner.combine.JobCandidate;
import io.elastune.planner.combine.JobSearch;
import io.elastune.planner.evaluate.CandidateSet;
import io.elastune.planner.evaluate.PlanEvaluator;
import io.elastune.planner.evaluate.PlanSelector;
import io.elastune.planner.model.ParetoFront;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds the baselines that a plan is compared with. */
public final class Baselines {
  /** Name of the baseline for the best static cluster. */
  public static final String STATIC_CLUSTER = "static";

  private final JobSearch search;
  private final PlanSelector planSelector;
  private final PlanEvaluator planEvaluator;
  private final Limits limits;
  private final double deadlineS;

  public Baselines(
      JobSearch search, PlanSelector planSelector, PlanEvaluator planEvaluator, Limits limits) {
    this.search = search;
    this.planSelector = planSelector;
    this.planEvaluator = planEvaluator;
    this.limits = limits;
    this.deadlineS = limits.deadlineOrInfinityS();
  }

  /** Returns all baselines; {@code candidates} are those of the search. */
  public List<Baseline> all(CandidateSet candidates) {
    List<Baseline> all = new ArrayList<>();
    best(STATIC_CLUSTER, staticPlans()).ifPresent(all::add);
    best("naive-elastic", choices(search.naiveFront(deadlineS), false)).ifPresent(all::add);
    all.add(
        planEvaluator.baseline(
            "fastest", planEvaluator.evaluateForComparison(candidates.fastestFirst().get(0))));
    all.add(
        new Baseline(
            "lower-bound", false, search.shortestS(), search.unitsUsd(), Optional.empty()));
    return all;
  }

  /** Returns the static clusters. */
  public CandidateSet staticPlans() {
    return choices(search.staticFront(deadlineS), true);
  }

  private CandidateSet choices(ParetoFront<JobCandidate> paretoFront, boolean hold) {
    return CandidateSet.of(paretoFront, jobCandidate -> search.plan(jobCandidate, hold), limits);
  }

  /**
   * Returns the best plan that meets the limits, or else the one that is nearest to meeting them;
   * nothing if no such plan exists for chains that run side by side.
   */
  private Optional<Baseline> best(String name, CandidateSet candidates) {
    return candidates.fastestFirst().isEmpty()
        ? Optional.empty()
        : Optional.of(planEvaluator.baseline(name, planSelector.bestOrNearest(candidates)));
  }
}
