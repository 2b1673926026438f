package io.elastune.planner.cluster;

import io.elastune.core.allocation.PlanRules;
import io.elastune.core.job.Brackets;
import io.elastune.core.plan.FixedCluster;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.policy.ListOptions;
import io.elastune.planner.api.Baseline;
import io.elastune.planner.api.PlanProgress;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.evaluate.CandidateSet;
import io.elastune.planner.evaluate.PlanEvaluator;
import io.elastune.planner.evaluate.PlanEvaluator.Evaluation;
import io.elastune.planner.evaluate.PlanSelector;
import io.elastune.planner.model.ChoiceSet;
import io.elastune.planner.model.OfferChoice;
import io.elastune.planner.model.SearchParameters;
import io.elastune.planner.pool.PoolPlanner;
import io.elastune.planner.pool.PoolSearch;
import io.elastune.planner.result.PlanResultBuilder;
import io.elastune.planner.result.SampledResult;
import io.elastune.planner.result.WorkBounds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Plans for a fixed cluster (docs/searches.md, "Policies"). Its instances are given, so the fastest
 * plan within the limits is sought. With list scheduling the planner chooses the size of the trials
 * of each group; under another policy, it only predicts. Several chains share the instances.
 */
public final class FixedClusterPlanner {
  /** The plans with shared instances that are sampled, the fastest ones for mean durations. */
  private static final int MOST_SAMPLED = 16;

  private final Problem problem;
  private final FixedCluster cluster;
  private final PlannerOptions options;
  private final SearchParameters parameters;
  private final ChoiceSet choiceSet;
  private final BooleanSupplier timeLimitReached;
  private final PlanProgress progress;
  private final PlanEvaluator evaluator;
  private final PlanSelector selector;

  public FixedClusterPlanner(
      Problem problem,
      PlannerOptions options,
      SearchParameters parameters,
      BooleanSupplier timeLimitReached,
      PlanProgress progress) {
    this.problem = problem;
    this.cluster = problem.cluster().orElseThrow();
    this.options = options;
    this.parameters = parameters;
    this.choiceSet = ChoiceSet.of(PoolPlanner.withOneChain(problem));
    this.timeLimitReached = timeLimitReached;
    this.progress = progress;
    this.evaluator = evaluator(problem);
    this.selector = new PlanSelector(problem.limits(), evaluator, parameters.race());
  }

  private PlanEvaluator evaluator(Problem of) {
    return new PlanEvaluator(of, options, parameters.sampleCounts(), timeLimitReached, progress);
  }

  public PlanResult plan() {
    List<Evaluation> evaluations =
        plans(problem, evaluator).stream().map(evaluator::evaluateFinally).toList();
    if (evaluations.isEmpty()) {
      return new PlanResult.Impossible(refusals());
    }
    CandidateSet frontier = CandidateSet.ofEvaluated(evaluations, problem.limits());
    PlanResultBuilder builder =
        new SampledResult(problem, parameters, choiceSet, evaluator, selector, timeLimitReached)
            .builder(baselines());
    WorkBounds bounds = new FixedClusterBounds(problem, choiceSet);
    return evaluations.stream()
        .filter(evaluator::meetsAllLimits)
        .min(Comparator.comparingDouble(Evaluation::completionS))
        .map(
            best ->
                builder.found(best, frontier, bounds.of(best, selector.minimizesCost(), remark())))
        .orElseGet(() -> builder.infeasible(frontier));
  }

  /** Returns the fastest plan on each offer. */
  private List<Plan> plans(Problem of, PlanEvaluator by) {
    return choiceSet.offerChoices().stream()
        .filter(choice -> choice.maxInstances() >= cluster.instances())
        .flatMap(choice -> fastest(of, choice, by).stream())
        .toList();
  }

  private Optional<Plan> fastest(Problem of, OfferChoice choice, PlanEvaluator by) {
    if (!isConcurrent(of)) {
      return new FixedClusterSizes(of, choiceSet, choice, by).fastest();
    }
    PoolSearch search = new PoolSearch(of, choiceSet, timeLimitReached, progress);
    if (search.sizes(choice).isEmpty()) {
      return Optional.empty();
    }
    return search.heldOn(choice, cluster.instances()).stream()
        .limit(MOST_SAMPLED)
        .map(candidate -> candidate.plan(of.workload().groups(), true))
        .filter(plan -> PlanRules.faults(of, plan).isEmpty())
        .min(Comparator.comparingDouble(plan -> by.evaluateByScreening(plan).completionS()));
  }

  private static boolean isConcurrent(Problem of) {
    return of.workload().chains().size() > 1;
  }

  private String refusals() {
    List<String> reasons = new ArrayList<>(choiceSet.refusals());
    for (OfferChoice choice : choiceSet.offerChoices()) {
      reasons.add(
          choice.offer().name()
              + ": "
              + (choice.maxInstances() < cluster.instances()
                  ? "at most " + choice.maxInstances() + " of " + cluster.instances() + " instances"
                  : noPlan(choice)));
    }
    return reasons.isEmpty() ? "there are no offers" : String.join("\n", reasons);
  }

  private String noPlan(OfferChoice choice) {
    return isConcurrent(problem)
        ? "no measured size of a trial fits on one instance, which brackets that share instances"
            + " need; use brackets: sequential"
        : String.join("; ", new FixedClusterSizes(problem, choiceSet, choice, evaluator).faults());
  }

  /**
   * Under another policy, shows what list scheduling would need; where brackets share the
   * instances, what they would need one after the other. Nothing if the search ends at a time: its
   * completion time does not show what it reaches.
   */
  private List<Baseline> baselines() {
    if (problem.workload().endsAtTime()) {
      return List.of();
    }
    if (problem.policy().choosesSizes()) {
      FixedCluster list = new FixedCluster(cluster.instances(), ListOptions.DEFAULT);
      return baseline(ListOptions.DEFAULT.word(), problem.withCluster(list));
    }
    return isConcurrent(problem)
        ? baseline(Brackets.SEQUENTIAL.word(), PoolPlanner.withOneChain(problem))
        : List.of();
  }

  private List<Baseline> baseline(String name, Problem other) {
    PlanEvaluator by = evaluator(other);
    return plans(other, by).stream()
        .map(by::evaluateFinally)
        .min(Comparator.comparingDouble(Evaluation::completionS))
        .map(
            best ->
                new Baseline(
                    name,
                    by.meetsAllLimits(best),
                    best.completionS(),
                    best.costUsd(),
                    Optional.empty()))
        .stream()
        .toList();
  }

  private String remark() {
    return problem.policy().choosesSizes()
        ? "a prediction; policy "
            + problem.policy().word()
            + " decides during the run, and the bound counts only the work"
        : "the sizes of each group were compared by sampling, and the bound counts only the work";
  }
}
