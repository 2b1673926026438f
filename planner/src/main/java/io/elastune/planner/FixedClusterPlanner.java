package io.elastune.planner;

import io.elastune.core.plan.FixedCluster;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.policy.ListOptions;
import io.elastune.planner.api.Baseline;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.evaluate.CandidateSet;
import io.elastune.planner.evaluate.PlanEvaluator;
import io.elastune.planner.evaluate.PlanEvaluator.Evaluation;
import io.elastune.planner.evaluate.PlanSelector;
import io.elastune.planner.model.ChoiceSet;
import io.elastune.planner.model.OfferChoice;
import io.elastune.planner.model.SearchParameters;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Plans for a fixed cluster (docs/searches.md, "Policies"). Its instances are given, so the fastest
 * plan within the limits is sought. With list scheduling the planner chooses the size of the trials
 * of each group; under another policy, it only predicts.
 */
final class FixedClusterPlanner {
  private final Problem problem;
  private final FixedCluster cluster;
  private final PlannerOptions options;
  private final SearchParameters parameters;
  private final ChoiceSet choiceSet;
  private final BooleanSupplier timeLimitReached;
  private final PlanEvaluator evaluator;
  private final PlanSelector selector;

  FixedClusterPlanner(
      Problem problem,
      PlannerOptions options,
      SearchParameters parameters,
      BooleanSupplier timeLimitReached) {
    this.problem = problem;
    this.cluster = problem.cluster().orElseThrow();
    this.options = options;
    this.parameters = parameters;
    this.choiceSet = ChoiceSet.of(problem);
    this.timeLimitReached = timeLimitReached;
    this.evaluator = new PlanEvaluator(problem, options, parameters.sampleCounts());
    this.selector = new PlanSelector(problem.limits(), evaluator, parameters.race());
  }

  PlanResult plan() {
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
        .flatMap(choice -> new FixedClusterSizes(of, choiceSet, choice, by).fastest().stream())
        .toList();
  }

  private String refusals() {
    List<String> reasons = new ArrayList<>(choiceSet.refusals());
    for (OfferChoice choice : choiceSet.offerChoices()) {
      reasons.add(
          choice.offer().name()
              + ": "
              + (choice.maxInstances() < cluster.instances()
                  ? "at most " + choice.maxInstances() + " of " + cluster.instances() + " instances"
                  : String.join(
                      "; ",
                      new FixedClusterSizes(problem, choiceSet, choice, evaluator).faults())));
    }
    return reasons.isEmpty() ? "there are no offers" : String.join("\n", reasons);
  }

  /** Under another policy, shows what list scheduling would need. */
  private List<Baseline> baselines() {
    if (!problem.policy().choosesSizes()) {
      return List.of();
    }
    Problem list = problem.withCluster(new FixedCluster(cluster.instances(), ListOptions.DEFAULT));
    PlanEvaluator byList = new PlanEvaluator(list, options, parameters.sampleCounts());
    return plans(list, byList).stream()
        .map(byList::evaluateFinally)
        .min(Comparator.comparingDouble(Evaluation::completionS))
        .map(
            best ->
                new Baseline(
                    ListOptions.DEFAULT.word(),
                    byList.meetsAllLimits(best),
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
