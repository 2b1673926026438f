package io.elastune.planner.pool;

import io.elastune.core.job.Brackets;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.planner.api.PlanProgress;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.evaluate.CandidateSet;
import io.elastune.planner.evaluate.PlanEvaluator;
import io.elastune.planner.evaluate.PlanEvaluator.Evaluation;
import io.elastune.planner.evaluate.PlanSelector;
import io.elastune.planner.model.ChoiceSet;
import io.elastune.planner.model.OfferChoice;
import io.elastune.planner.model.ParetoFront;
import io.elastune.planner.model.SearchParameters;
import io.elastune.planner.result.BracketChoice;
import io.elastune.planner.result.SampledResult;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Plans chains that share instances (docs/searches.md, "Shared instances"). The candidates are
 * found with mean durations, and the best are sampled.
 */
public final class PoolPlanner {
  private static final String NOT_PROVEN =
      "found step by step, because chains that share instances depend on each"
          + " other; the bound counts only the work and one boot";

  /** Local optima, of all offers and numbers of instances, at which the searches continue. */
  private static final int MOST_ANNEALED = 4;

  private final Problem problem;
  private final PlannerOptions options;
  private final SearchParameters parameters;
  private final BooleanSupplier timeLimitReached;
  private final ChoiceSet choiceSet;
  private final List<TrialGroup> groups;
  private final PoolSearch search;
  private final PlanEvaluator evaluator;
  private final PlanSelector selector;

  public PoolPlanner(
      Problem problem,
      PlannerOptions options,
      SearchParameters parameters,
      BooleanSupplier timeLimitReached,
      PlanProgress progress) {
    this.problem = problem;
    this.options = options;
    this.parameters = parameters;
    this.timeLimitReached = timeLimitReached;
    this.choiceSet = ChoiceSet.of(withOneChain(problem));
    this.groups = problem.workload().groups();
    this.search = new PoolSearch(problem, choiceSet, timeLimitReached, progress);
    this.evaluator =
        new PlanEvaluator(problem, options, parameters.sampleCounts(), timeLimitReached, progress);
    this.selector = new PlanSelector(problem.limits(), evaluator, parameters.race());
  }

  /** A pool needs one instance, where separate chains need one each. */
  public static Problem withOneChain(Problem problem) {
    Chain all = new Chain("", problem.workload().groups());
    return problem.withWorkload(new Workload(List.of(all)));
  }

  /**
   * Returns the best plan found.
   *
   * @param separate the result with separate instances: a start of the search, and a baseline
   */
  public PlanResult plan(PlanResult separate) {
    if (search.offers().isEmpty()) {
      return new PlanResult.Impossible(
          "no offer has a measured size of a trial that fits on one of its instances, which shared"
              + " instances need");
    }
    boolean isStatic = options.kind() == PlannerOptions.Kind.STATIC;
    CandidateSet statics = frontier(staticFront(), true);
    CandidateSet found = isStatic ? statics : candidates(BracketChoice.plans(separate));
    // A search that reached its time limit before its first plan leaves none.
    CandidateSet frontier = found.fastestFirst().isEmpty() ? statics : found;
    return new SampledResult(problem, parameters, choiceSet, evaluator, selector, timeLimitReached)
        .best(
            statics,
            frontier,
            BracketChoice.asBaseline(separate, Brackets.SEPARATE),
            search,
            NOT_PROVEN);
  }

  /**
   * Searches for the deadline of the job, and where durations vary also for the one at which a
   * sampled plan just meets it.
   */
  private CandidateSet candidates(List<Plan> seeds) {
    double deadlineS = problem.limits().deadlineOrInfinityS();
    if (!selector.minimizesCost()) {
      search.searchWithin(0, seeds, MOST_ANNEALED);
      search.searchRoughly(Double.POSITIVE_INFINITY, seeds);
      return frontier(search.front(), false);
    }
    search.searchRoughly(Double.POSITIVE_INFINITY, seeds);
    boolean varies = choiceSet.offerChoices().stream().anyMatch(OfferChoice::varies);
    if (!varies || problem.limits().deadlineS().isEmpty()) {
      search.searchWithin(deadlineS, seeds, MOST_ANNEALED);
      return frontier(search.front(), false);
    }
    // How much later a sampled plan ends differs by plan: both searches find plans between them.
    search.searchWithin(deadlineS, seeds, MOST_ANNEALED / 2);
    double modelS =
        search
            .front()
            .cheapestWithin(deadlineS)
            .map(near -> modelDeadlineS(near, deadlineS))
            .orElse(deadlineS);
    search.searchWithin(modelS, seeds, MOST_ANNEALED / 2);
    return frontier(search.front(), false);
  }

  /** The completion time for mean durations at which a sampled plan just meets the deadline. */
  private double modelDeadlineS(PoolCandidate near, double deadlineS) {
    Evaluation sampled = evaluator.evaluateForComparison(near.plan(groups, false));
    return deadlineS * near.completionS() / sampled.safeS();
  }

  private ParetoFront<PoolCandidate> staticFront() {
    ParetoFront<PoolCandidate> front =
        new ParetoFront<>(Comparator.comparingInt(PoolCandidate::instances));
    front.addAll(search.statics());
    return front;
  }

  private CandidateSet frontier(ParetoFront<PoolCandidate> front, boolean hold) {
    return CandidateSet.of(front, candidate -> candidate.plan(groups, hold), problem.limits());
  }
}
