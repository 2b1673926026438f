package io.elastune.planner;

import io.elastune.core.plan.Plan;
import io.elastune.planner.Judge.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Improves the best candidate by local search and confirms the plan to report with the number of
 * samples of its final estimate (docs/planner.md, step 6).
 */
final class FinalSelection {
  private final JobSearch search;
  private final Selection selection;
  private final Judge judge;
  private final SearchParameters.LocalSearch parameters;
  private final double deadlineS;

  FinalSelection(
      JobSearch search,
      Selection selection,
      Judge judge,
      SearchParameters.LocalSearch parameters,
      double deadlineS) {
    this.parameters = parameters;
    this.search = search;
    this.selection = selection;
    this.judge = judge;
    this.deadlineS = deadlineS;
  }

  /** Confirms the best of some candidates without changing them. */
  RaceResult confirm(CandidateSet candidates) {
    return new RaceResult(
        candidates, selection.sure(candidates.frontier().fastestFirst(), candidates.others()));
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
  RaceResult improve(RaceResult race, Optional<Plan> cluster, boolean localSearch) {
    List<Plan> more = new ArrayList<>();
    if (localSearch) {
      more.addAll(neighbors(race));
    }
    cluster.flatMap(plan -> released(plan, race.best())).ifPresent(more::add);
    RaceResult improved = confirm(race.candidates().with(more));
    Optional<Outline> lost = lost(race, improved.best());
    if (!localSearch || lost.isEmpty()) {
      return improved;
    }
    Polisher polisher = polisher();
    polisher.replace(lost.get());
    return confirm(improved.candidates().with(polisher.found()));
  }

  /** Plans around the best candidate, or around the fastest ones if none meets the limits. */
  private List<Plan> neighbors(RaceResult race) {
    Polisher polisher = polisher();
    CandidateSet candidates = race.candidates();
    List<Outline> frontier = List.copyOf(candidates.byPlan().values());
    if (race.best().isEmpty()) {
      candidates.byPlan().entrySet().stream()
          .limit(parameters.fastestPlans())
          .min(Comparator.comparingDouble(entry -> judge.quick(entry.getKey()).safeS()))
          .ifPresent(safest -> polisher.rescue(safest.getValue(), frontier));
    } else {
      Verdict best = race.best().get();
      Outline candidate = candidates.byPlan().get(best.plan());
      if (candidate != null) {
        polisher.cheapen(candidate, best, frontier);
      }
    }
    return polisher.found();
  }

  /**
   * The static cluster as a plan that releases instances early. Where chains share limits the
   * search may miss this plan; with it the result never costs more than the static cluster.
   */
  private Optional<Plan> released(Plan cluster, Optional<Verdict> best) {
    Plan plan = new Plan(false, cluster.allocations());
    boolean worse =
        best.stream().anyMatch(known -> judge.isSurelyWorse(plan, known.plan(), Aim.CHEAPER::of));
    return worse ? Optional.empty() : Optional.of(judge.full(plan).plan());
  }

  /**
   * The best candidate of the race, if it was not confirmed and the plan in its place costs more.
   */
  private Optional<Outline> lost(RaceResult race, Optional<Verdict> confirmed) {
    return race.best()
        .filter(
            raced ->
                confirmed.stream()
                    .allMatch(
                        b -> b.costUsd() > raced.costUsd() * (1 + parameters.lostCostRatio())))
        .map(raced -> race.candidates().byPlan().get(raced.plan()));
  }

  private Polisher polisher() {
    return new Polisher(search, judge, parameters, deadlineS);
  }
}
