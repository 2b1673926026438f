package io.elastune.planner;

import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.planner.OptimalityGap.Bounds;
import io.elastune.planner.api.Baseline;
import io.elastune.planner.api.Optimum;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.api.PlannerOptions.Kind;
import io.elastune.planner.evaluate.CandidateSet;
import io.elastune.planner.evaluate.FrontierCandidates;
import io.elastune.planner.evaluate.PlanEvaluator;
import io.elastune.planner.evaluate.PlanEvaluator.Evaluation;
import io.elastune.planner.evaluate.PlanSelector;
import io.elastune.planner.model.ChoiceSet;
import io.elastune.planner.model.ParetoFront;
import io.elastune.planner.model.SearchParameters;
import io.elastune.planner.model.TimeAndCost;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Plans a search made of rungs (docs/searches.md, "The planner"). Which trials are promoted is
 * random, so every candidate is sampled.
 */
final class RungPlanner {
  /** The most plans, weighted by the number of trials, that are all evaluated. */
  private static final long MOST_ENUMERATED = 20_000;

  private final Problem problem;
  private final PlannerOptions options;
  private final SearchParameters parameters;
  private final ChoiceSet choiceSet;
  private final BooleanSupplier timeLimitReached;
  private final RungRule rule;
  private final RungChoices choices;
  private final PlanEvaluator evaluator;
  private final PlanSelector selector;
  private final RungGreedy greedy;

  RungPlanner(
      Problem problem,
      PlannerOptions options,
      SearchParameters parameters,
      ChoiceSet choiceSet,
      BooleanSupplier timeLimitReached) {
    this.problem = problem;
    this.options = options;
    this.parameters = parameters;
    this.choiceSet = choiceSet;
    this.timeLimitReached = timeLimitReached;
    this.rule = problem.workload().rungs().orElseThrow();
    this.choices = new RungChoices(choiceSet, rule);
    this.evaluator = new PlanEvaluator(problem, options, parameters.sampleCounts());
    this.selector = new PlanSelector(problem.limits(), evaluator, parameters.race());
    this.greedy =
        new RungGreedy(
            choices, evaluator, problem.limits(), selector.minimizesCost(), timeLimitReached);
  }

  PlanResult plan() {
    List<RungCandidate> statics = choices.statics();
    if (statics.isEmpty()) {
      return new PlanResult.Impossible(
          "no offer has a measured size of a trial that fits on one of its instances,"
              + " which an asynchronous search needs");
    }
    List<Evaluation> held =
        statics.stream()
            .map(candidate -> evaluator.evaluateByScreening(candidate.plan(true)))
            .toList();
    boolean enumerates = isEnumerated();
    if (options.kind() != Kind.STATIC) {
      search(statics, held, enumerates);
    }
    FrontierCandidates staticFrontier = frontier(held);
    FrontierCandidates frontier =
        options.kind() == Kind.STATIC ? staticFrontier : frontier(greedy.evaluated().values());
    List<Baseline> baselines = baselines(staticFrontier, frontier);
    PlanResultBuilder builder =
        new PlanResultBuilder(
            problem,
            parameters.resultDetail(),
            choiceSet,
            evaluator,
            selector,
            candidate -> List.of(),
            baselines,
            timeLimitReached.getAsBoolean());
    selector.best(frontier);
    Optional<Evaluation> best = selector.sure(frontier.fastestFirst(), List.of());
    return best.map(
            found -> builder.found(found, CandidateSet.of(frontier), bounds(found, enumerates)))
        .orElseGet(() -> builder.infeasible(frontier));
  }

  private boolean isEnumerated() {
    return (options.kind() == Kind.EXACT || options.kind() == Kind.BEST)
        && choices.count() * rule.trials() <= MOST_ENUMERATED;
  }

  private void search(List<RungCandidate> statics, List<Evaluation> held, boolean enumerates) {
    if (enumerates) {
      for (RungCandidate candidate : choices.all()) {
        if (!timeLimitReached.getAsBoolean()) {
          greedy.evaluate(candidate.plan(false));
        }
      }
      return;
    }
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < held.size(); i++) {
      order.add(i);
    }
    Comparator<Integer> feasibleFirst =
        Comparator.comparingDouble(i -> Math.max(1, greedy.overrun(held.get(i))));
    int cheapest =
        order.stream()
            .min(feasibleFirst.thenComparingDouble(i -> held.get(i).costUsd()))
            .orElseThrow();
    int fastest =
        order.stream()
            .min(feasibleFirst.thenComparingDouble(i -> held.get(i).completionS()))
            .orElseThrow();
    greedy.descend(statics.get(cheapest));
    greedy.descend(statics.get(fastest));
  }

  private FrontierCandidates frontier(Collection<Evaluation> evaluations) {
    ParetoFront<Evaluation> front =
        new ParetoFront<>(Comparator.comparingDouble(Evaluation::costUsd));
    evaluations.forEach(front::add);
    Limits limits = problem.limits();
    double budgetUsd = limits.budgetUsd().orElse(Double.POSITIVE_INFINITY);
    return new FrontierCandidates(
        front.items().stream().map(Evaluation::plan).toList(),
        front.countWithin(limits.deadlineOrInfinityS()),
        (int) front.items().stream().filter(one -> one.costUsd() > budgetUsd).count());
  }

  private List<Baseline> baselines(FrontierCandidates statics, FrontierCandidates found) {
    List<Baseline> baselines = new ArrayList<>();
    baselines.add(
        baseline(
            Baselines.STATIC_CLUSTER,
            selector.best(statics).orElseGet(() -> selector.nearest(statics))));
    baselines.add(
        baseline("fastest", evaluator.evaluateForComparison(found.fastestFirst().get(0))));
    RungBounds bounds = new RungBounds(rule, choiceSet, choices);
    baselines.add(
        new Baseline(
            "lower-bound", false, bounds.shortestS(), bounds.leastUsd(), Optional.empty()));
    return baselines;
  }

  private Baseline baseline(String name, Evaluation evaluation) {
    return new Baseline(
        name,
        evaluator.meetsAllLimits(evaluation),
        evaluation.completionS(),
        evaluation.costUsd(),
        Optional.of(evaluation.plan()));
  }

  private Bounds bounds(Evaluation best, boolean enumerated) {
    RungBounds bounds = new RungBounds(rule, choiceSet, choices);
    double leastUsd = Math.min(bounds.leastUsd(), best.costUsd());
    double gap =
        selector.minimizesCost()
            ? gap(best.costUsd(), leastUsd)
            : gap(best.completionS(), bounds.shortestS());
    List<String> remarks = new ArrayList<>();
    remarks.add(
        enumerated
            ? "not proven optimal: the best of all "
                + choices.count()
                + " plans within the sampling error, because which trials are promoted is random"
            : "not proven optimal: found step by step, because which trials are promoted is random;"
                + " the bound counts only the work that no order of trials avoids");
    return new Bounds(new Optimum(leastUsd, gap, leastUsd, false, false), remarks);
  }

  private static double gap(double value, double bound) {
    return bound > 0 && value > bound + TimeAndCost.TOLERANCE ? value / bound - 1 : 0;
  }
}
