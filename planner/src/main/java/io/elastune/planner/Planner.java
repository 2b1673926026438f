package io.elastune.planner;

import io.elastune.core.job.Brackets;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.planner.api.Baseline;
import io.elastune.planner.api.PlanProgress;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.api.PlannerOptions.Kind;
import io.elastune.planner.cluster.ClusterChoices;
import io.elastune.planner.combine.JobSearch;
import io.elastune.planner.evaluate.CandidateSet;
import io.elastune.planner.evaluate.FinalSelection;
import io.elastune.planner.evaluate.NoSampleException;
import io.elastune.planner.evaluate.PlanEvaluator;
import io.elastune.planner.evaluate.PlanSelector;
import io.elastune.planner.evaluate.PlannerInputs;
import io.elastune.planner.evaluate.RaceResult;
import io.elastune.planner.evaluate.SparePlans;
import io.elastune.planner.model.ChoiceSet;
import io.elastune.planner.model.MeanValueModel;
import io.elastune.planner.model.OfferChoice;
import io.elastune.planner.model.SearchParameters;
import io.elastune.planner.pool.PoolChoices;
import io.elastune.planner.result.Baselines;
import io.elastune.planner.result.BracketChoice;
import io.elastune.planner.result.OptimalityGap;
import io.elastune.planner.result.PlanResultBuilder;
import io.elastune.planner.rung.RungChoices;
import io.elastune.planner.rung.RungTimePlanner;
import io.elastune.planner.sampled.PlanKind;
import io.elastune.planner.sampled.SampledPlanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Finds the cheapest plan that meets deadline and budget with the required confidence; without a
 * deadline, the fastest plan within the budget (docs/model.md, "What is optimized").
 *
 * <p>The search uses mean values ({@link MeanValueModel}); the simulator then evaluates the
 * candidates by sampling with common random numbers. docs/planner.md describes the steps, which
 * have the same numbers and names here. The same problem and options give the same result, byte for
 * byte. The planner reads no clock; the caller may end the search early.
 */
public final class Planner {
  /** The steps of docs/planner.md. */
  private static final int STEPS = 8;

  private final PlannerInputs inputs;
  private final Problem problem;
  private final PlannerOptions options;
  private final SearchParameters parameters;
  private final ChoiceSet choiceSet;
  private final boolean varies;
  private final double deadlineS;

  /** A planner for {@code problem} without a time limit. */
  public Planner(Problem problem, PlannerOptions options) {
    this(problem, options, () -> false);
  }

  /**
   * A planner for {@code problem} with a time limit.
   *
   * @param timeLimitReached whether the time limit is reached: the search then ends, and what was
   *     found so far is still sampled, compared and bounded, as far as that is fast
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
    this(problem, options, parameters, timeLimitReached, PlanProgress.NONE);
  }

  /**
   * A planner for {@code problem} with a time limit that reports progress.
   *
   * @param progress receives the progress of each phase
   */
  public Planner(
      Problem problem,
      PlannerOptions options,
      BooleanSupplier timeLimitReached,
      PlanProgress progress) {
    this(problem, options, SearchParameters.DEFAULT, timeLimitReached, progress);
  }

  private Planner(
      Problem problem,
      PlannerOptions options,
      SearchParameters parameters,
      BooleanSupplier timeLimitReached,
      PlanProgress progress) {
    this.inputs = new PlannerInputs(problem, options, parameters, timeLimitReached, progress);
    this.parameters = parameters;
    this.problem = problem;
    this.options = options;
    this.choiceSet = ChoiceSet.of(problem);
    this.varies = choiceSet.offerChoices().stream().anyMatch(OfferChoice::varies);
    this.deadlineS = problem.limits().deadlineOrInfinityS();
  }

  /** Searches for the best plan. That there is none is a result, not an error. */
  public PlanResult plan() {
    try {
      return search();
    } catch (NoSampleException none) {
      return new PlanResult.Impossible(NoSampleException.REASON);
    }
  }

  private PlanResult search() {
    if (problem.workload().endsAtTime() && !problem.policy().choosesSizes()) {
      return choiceSet.offerChoices().isEmpty()
          ? new PlanResult.Impossible(noOffer())
          : new RungTimePlanner(inputs, choiceSet).plan();
    }
    if (problem.cluster().isPresent()) {
      return sampled(new ClusterChoices(inputs));
    }
    if (problem.workload().chains().size() == 1 || options.brackets() == Brackets.SEPARATE) {
      return separate();
    }
    PlanResult separate = separate();
    PlanResult shared =
        sampled(
            new PoolChoices(
                inputs,
                BracketChoice.plans(separate),
                BracketChoice.asBaseline(separate, Brackets.SEPARATE)));
    return options.brackets() == Brackets.SHARED
        ? shared
        : BracketChoice.better(separate, shared, PlanSelector.minimizesCost(problem.limits()));
  }

  private <C> PlanResult sampled(PlanKind<C> kind) {
    return new SampledPlanner<>(inputs, kind).plan();
  }

  /** Searches for the best plan in which each chain has its own instances. */
  private PlanResult separate() {
    if (choiceSet.offerChoices().isEmpty()) {
      return new PlanResult.Impossible(noOffer());
    }
    if (problem.workload().rungs().isPresent()) {
      return sampled(new RungChoices(choiceSet, problem.workload().rungs().get()));
    }
    JobSearch search =
        new JobSearch(problem, choiceSet, true, Map.of(), parameters, inputs.timeLimitReached());
    if (search.front(deadlineS).items().isEmpty()) {
      return new PlanResult.Impossible(tooManyChains());
    }
    PlanEvaluator planEvaluator = new PlanEvaluator(inputs);
    PlanSelector planSelector = new PlanSelector(inputs, planEvaluator);
    CandidateSearch candidateSearch = new CandidateSearch(inputs, search, varies);
    Baselines baselineSearch = new Baselines(search, planSelector, planEvaluator, problem.limits());

    at(0);
    // Steps 1 to 4: choices, scoring, search per chain, combination of chains.
    CandidateSet candidates = candidateSearch.candidates();
    at(4);
    // Step 5: evaluation.
    RaceResult race = race(candidates, candidateSearch, planSelector);
    // The baselines of step 7 come first: step 6 also considers the best static cluster.
    List<Baseline> baselines = baselineSearch.all(race.candidates());
    FinalSelection finalSelection =
        new FinalSelection(
            search,
            planSelector,
            planEvaluator,
            parameters.localSearch(),
            new SparePlans(problem, planEvaluator, parameters.spareSearch()),
            deadlineS);
    at(5);
    // Step 6: local search.
    RaceResult selected =
        options.kind() == Kind.STATIC
            ? finalSelection.confirm(baselineSearch.staticPlans())
            : finalSelection.improve(
                race, staticCluster(baselines), isLocalSearchUseful(planSelector));
    at(6);
    // Step 7: bounds and baselines.
    OptimalityGap optimalityGaps = new OptimalityGap(inputs, choiceSet, search, planSelector);
    // Step 8: result.
    PlanResultBuilder planResultBuilder =
        new PlanResultBuilder(
            inputs, choiceSet, planEvaluator, planSelector, search::stepsTo, baselines);
    return selected
        .best()
        .map(best -> planResultBuilder.found(best, selected.candidates(), optimalityGaps.of(best)))
        .orElseGet(() -> planResultBuilder.infeasible(selected.candidates()));
  }

  /** Reports that so many steps of docs/planner.md are complete. */
  private void at(int steps) {
    inputs.progress().at("steps of the search", steps, STEPS);
  }

  /**
   * Evaluates the candidates by sampling. Sampling also shows by how much the mean-value model
   * misjudges completion times, so the search is repeated for a corrected deadline (steps 3 to 5).
   */
  private RaceResult race(
      CandidateSet candidates, CandidateSearch candidateSearch, PlanSelector planSelector) {
    RaceResult race = new RaceResult(candidates, planSelector.best(candidates));
    for (int round = 0; round < parameters.searchDeadlines().correctionRounds(); round++) {
      Optional<CandidateSet> refined = candidateSearch.refined(race.candidates(), race.best());
      if (refined.isEmpty()) {
        break;
      }
      race = new RaceResult(refined.get(), planSelector.best(refined.get()));
    }
    return race;
  }

  /** Whether sampled local search can find better plans than the search with mean values. */
  private boolean isLocalSearchUseful(PlanSelector planSelector) {
    return varies && planSelector.minimizesCost() && !inputs.isOver();
  }

  private static Optional<Plan> staticCluster(List<Baseline> baselines) {
    return baselines.stream()
        .filter(baseline -> baseline.name().equals(Baselines.STATIC_CLUSTER))
        .findFirst()
        .flatMap(Baseline::plan);
  }

  private String noOffer() {
    return choiceSet.refusals().isEmpty()
        ? "there are no offers"
        : String.join("\n", choiceSet.refusals());
  }

  private String tooManyChains() {
    Limits limits = problem.limits();
    List<String> limiting = new ArrayList<>(List.of("max_instances " + limits.maxInstances()));
    if (limits.maxUsdPerHour() < Double.POSITIVE_INFINITY) {
      limiting.add(String.format(Locale.ROOT, "max_hourly_usd %.2f", limits.maxUsdPerHour()));
    }
    if (!limits.quotas().isEmpty()) {
      limiting.add("the quotas");
    }
    int chains = problem.workload().chains().size();
    return String.join(" and ", limiting)
        + (limiting.size() > 1 ? " are" : " is")
        + " too low for "
        + chains
        + " concurrent chains; search.brackets: shared or sequential needs fewer instances";
  }
}
