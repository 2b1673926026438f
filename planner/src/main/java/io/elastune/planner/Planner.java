package io.elastune.planner;

import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.planner.PlannerOptions.Kind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Finds the cheapest plan that meets deadline and budget with the required confidence; without a
 * deadline, the fastest plan within the budget (docs/model.md, "What is optimized").
 *
 * <p>The search uses mean values ({@link ChainModel}); the simulator then evaluates the candidates
 * by sampling with common random numbers. docs/planner.md describes the steps, which have the same
 * numbers and names here. The same problem and options give the same result, byte for byte. The
 * planner reads no clock; the caller may end the search early.
 */
public final class Planner {
  private final Problem problem;
  private final PlannerOptions options;
  private final SearchParameters parameters;
  private final Menu menu;
  private final boolean varies;
  private final double deadlineS;
  private final BooleanSupplier timeLimitReached;

  /** A planner for {@code problem} without a time limit. */
  public Planner(Problem problem, PlannerOptions options) {
    this(problem, options, () -> false);
  }

  /**
   * A planner for {@code problem} with a time limit.
   *
   * @param timeLimitReached whether the time limit is reached: the search then ends, and what was
   *     found so far is still sampled, compared and bounded
   */
  public Planner(Problem problem, PlannerOptions options, BooleanSupplier timeLimitReached) {
    this(problem, options, SearchParameters.DEFAULT, timeLimitReached);
  }

  /** A planner for {@code problem} with a time limit and other constants of the search. */
  public Planner(
      Problem problem,
      PlannerOptions options,
      SearchParameters parameters,
      BooleanSupplier timeLimitReached) {
    this.parameters = parameters;
    this.timeLimitReached = timeLimitReached;
    this.problem = problem;
    this.options = options;
    this.menu = Menu.of(problem);
    this.varies = menu.rentals().stream().anyMatch(Rental::varies);
    this.deadlineS = problem.limits().deadlineS().orElse(Double.POSITIVE_INFINITY);
  }

  /** Searches for the best plan. That there is none is a result, not an error. */
  public PlanResult plan() {
    if (menu.rentals().isEmpty()) {
      return new PlanResult.Impossible(noOffer());
    }
    JobSearch search = new JobSearch(problem, menu, true, Map.of(), parameters, timeLimitReached);
    if (search.front(deadlineS).items().isEmpty()) {
      return new PlanResult.Impossible(tooManyChains());
    }
    Judge judge = new Judge(problem, options, parameters.sampleCounts());
    Selection selection = new Selection(problem.limits(), judge, parameters.race());
    CandidateSearch candidateSearch =
        new CandidateSearch(problem, options, parameters, search, varies, timeLimitReached);
    Baselines baselineSearch = new Baselines(search, selection, judge, problem.limits());

    // Steps 1 to 4: choices, scoring, search per chain, combination of chains.
    CandidateSet candidates = candidateSearch.candidates();
    // Step 5: evaluation.
    RaceResult race = race(candidates, candidateSearch, selection);
    // The baselines of step 7 come first: step 6 also considers the best static cluster.
    List<Baseline> baselines = baselineSearch.all(race.candidates());
    FinalSelection finalSelection =
        new FinalSelection(search, selection, judge, parameters.localSearch(), deadlineS);
    // Step 6: local search.
    RaceResult selected =
        options.kind() == Kind.STATIC
            ? finalSelection.confirm(CandidateSet.of(baselineSearch.staticPlans()))
            : finalSelection.improve(
                race, staticCluster(baselines), isLocalSearchUseful(selection));
    // Step 7: bounds and baselines.
    Bound bounds = new Bound(problem, options, parameters, menu, search, selection);
    // Step 8: result.
    Report report =
        new Report(
            problem,
            parameters.resultDetail(),
            menu,
            judge,
            selection,
            search,
            baselines,
            timeLimitReached.getAsBoolean());
    return selected
        .best()
        .map(best -> report.found(best, selected.candidates(), bounds.of(best)))
        .orElseGet(() -> report.infeasible(selected.candidates().frontier()));
  }

  /**
   * Evaluates the candidates by sampling. Sampling also shows by how much the mean-value model
   * misjudges completion times, so the search is repeated for a corrected deadline (steps 3 to 5).
   */
  private RaceResult race(
      CandidateSet candidates, CandidateSearch candidateSearch, Selection selection) {
    RaceResult race = new RaceResult(candidates, selection.best(candidates.frontier()));
    for (int round = 0; round < parameters.searchDeadlines().correctionRounds(); round++) {
      Optional<CandidateSet> refined = candidateSearch.refined(race.candidates(), race.best());
      if (refined.isEmpty()) {
        break;
      }
      race = new RaceResult(refined.get(), selection.best(refined.get().frontier()));
    }
    return race;
  }

  /** Whether sampled local search can find better plans than the search with mean values. */
  private boolean isLocalSearchUseful(Selection selection) {
    return varies && selection.isTimed() && !timeLimitReached.getAsBoolean();
  }

  private static Optional<Plan> staticCluster(List<Baseline> baselines) {
    return baselines.stream()
        .filter(baseline -> baseline.name().equals(Baselines.STATIC))
        .findFirst()
        .flatMap(Baseline::plan);
  }

  private String noOffer() {
    return menu.refusals().isEmpty() ? "there are no offers" : String.join("\n", menu.refusals());
  }

  private String tooManyChains() {
    return "max_instances "
        + problem.limits().maxInstances()
        + " and max_hourly_usd "
        + problem.limits().maxUsdPerHour()
        + (problem.limits().quotas().isEmpty() ? "" : " and the quotas")
        + " are too low for "
        + problem.workload().chains().size()
        + " chains that run side by side";
  }
}
