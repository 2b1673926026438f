package io.elastune.planner.evaluate;

import io.elastune.core.plan.Plan;
import io.elastune.planner.combine.JobCandidate;
import io.elastune.planner.combine.JobSearch;
import io.elastune.planner.evaluate.PlanEvaluator.Evaluation;
import io.elastune.planner.model.SearchParameters;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Improves the best candidate by local search and confirms the plan to report with the number of
 * samples of its final estimate (docs/planner.md, step 6).
 */
public final class FinalSelection {
  private final JobSearch search;
  private final PlanSelector planSelector;
  private final PlanEvaluator planEvaluator;
  private final SearchParameters.LocalSearch parameters;
  private final double deadlineS;
  private final SparePlans sparePlans;

  public FinalSelection(
      JobSearch search,
      PlanSelector planSelector,
      PlanEvaluator planEvaluator,
      SearchParameters.LocalSearch parameters,
      SparePlans sparePlans,
      double deadlineS) {
    this.parameters = parameters;
    this.search = search;
    this.planSelector = planSelector;
    this.planEvaluator = planEvaluator;
    this.deadlineS = deadlineS;
    this.sparePlans = sparePlans;
  }

  /** Confirms the best of some candidates without changing them. */
  public RaceResult confirm(CandidateSet candidates) {
    return new RaceResult(
        candidates, planSelector.sure(candidates.fastestFirst(), candidates.others()));
  }

  /**
   * Improves the best candidate and confirms the result.
   *
   * <p>If the best candidate of the race fails the confirmation and the confirmed plan costs
   * notably more, its neighbors are searched too.
   *
   * @param cluster the best static cluster
   * @param localSearch whether to search around the best candidate
   */
  public RaceResult improve(RaceResult race, Optional<Plan> cluster, boolean localSearch) {
    List<Plan> more = new ArrayList<>();
    if (localSearch) {
      more.addAll(neighbors(race));
    }
    cluster.flatMap(plan -> released(plan, race.best())).ifPresent(more::add);
    RaceResult improved = confirm(race.candidates().with(more));
    Optional<JobCandidate> lost = lost(race, improved.best());
    if (localSearch && lost.isPresent()) {
      SampledLocalSearch sampledLocalSearch = polisher();
      sampledLocalSearch.findReplacement(lost.get());
      improved = confirm(improved.candidates().with(sampledLocalSearch.foundPlans()));
    }
    return localSearch ? withSpares(improved) : improved;
  }

  /** Also considers plans with spare instances, if these may cost less. */
  private RaceResult withSpares(RaceResult result) {
    List<Plan> spares = sparePlans.around(result.candidates().fastestFirst(), result.best());
    return spares.isEmpty() ? result : confirm(result.candidates().with(spares));
  }

  /** Plans around the best candidate, or around the fastest ones if none meets the limits. */
  private List<Plan> neighbors(RaceResult race) {
    SampledLocalSearch sampledLocalSearch = polisher();
    CandidateSet candidates = race.candidates();
    List<JobCandidate> frontier = List.copyOf(candidates.byPlan().values());
    if (race.best().isEmpty()) {
      candidates.byPlan().entrySet().stream()
          .limit(parameters.fastestPlans())
          .min(
              Comparator.comparingDouble(
                  entry -> planEvaluator.evaluateQuickly(entry.getKey()).safeS()))
          .ifPresent(safest -> sampledLocalSearch.findFeasible(safest.getValue(), frontier));
    } else {
      Evaluation best = race.best().get();
      JobCandidate candidate = candidates.byPlan().get(best.plan());
      if (candidate != null) {
        sampledLocalSearch.reduceCost(candidate, best, frontier);
      }
    }
    return sampledLocalSearch.foundPlans();
  }

  /**
   * The static cluster as a plan that releases instances early. Where chains share limits the
   * search may miss this plan; with it the result never costs more than the static cluster.
   */
  private Optional<Plan> released(Plan cluster, Optional<Evaluation> best) {
    Plan plan = new Plan(false, cluster.allocations());
    boolean worse =
        best.stream()
            .anyMatch(
                known ->
                    planEvaluator.isSurelyWorse(plan, known.plan(), Objective.CHEAPER::values));
    return worse ? Optional.empty() : Optional.of(planEvaluator.evaluateForComparison(plan).plan());
  }

  /**
   * The best candidate of the race, if it was not confirmed and the plan in its place costs more.
   */
  private Optional<JobCandidate> lost(RaceResult race, Optional<Evaluation> confirmed) {
    return race.best()
        .filter(
            raced ->
                confirmed.stream()
                    .allMatch(
                        b -> b.costUsd() > raced.costUsd() * (1 + parameters.lostCostRatio())))
        .map(raced -> race.candidates().byPlan().get(raced.plan()));
  }

  private SampledLocalSearch polisher() {
    return new SampledLocalSearch(search, planEvaluator, parameters, deadlineS);
  }
}
