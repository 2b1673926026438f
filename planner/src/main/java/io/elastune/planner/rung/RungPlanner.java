package io.elastune.planner.rung;

import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.planner.api.PlanProgress;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.api.PlannerOptions.Kind;
import io.elastune.planner.evaluate.CandidateSet;
import io.elastune.planner.evaluate.PlanEvaluator;
import io.elastune.planner.evaluate.PlanEvaluator.Evaluation;
import io.elastune.planner.evaluate.PlanSelector;
import io.elastune.planner.model.ChoiceSet;
import io.elastune.planner.model.SearchParameters;
import io.elastune.planner.result.SampledResult;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.ToDoubleFunction;

/**
 * Plans a search made of rungs (docs/searches.md, "The planner"). Which trials are promoted is
 * random, so every candidate is sampled.
 */
public final class RungPlanner {
  /** The most plans, weighted by the number of trials, that are all evaluated. */
  private static final long MOST_ENUMERATED = 20_000;

  /** Static clusters from which the search begins for each figure: one may lead to a poor plan. */
  private static final int STARTS = 2;

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
  private final PlanProgress progress;

  public RungPlanner(
      Problem problem,
      PlannerOptions options,
      SearchParameters parameters,
      ChoiceSet choiceSet,
      BooleanSupplier timeLimitReached,
      PlanProgress progress) {
    this.progress = progress;
    this.problem = problem;
    this.options = options;
    this.parameters = parameters;
    this.choiceSet = choiceSet;
    this.timeLimitReached = timeLimitReached;
    this.rule = problem.workload().rungs().orElseThrow();
    this.choices = new RungChoices(choiceSet, rule);
    this.evaluator =
        new PlanEvaluator(problem, options, parameters.sampleCounts(), timeLimitReached, progress);
    this.selector = new PlanSelector(problem.limits(), evaluator, parameters.race());
    this.greedy =
        new RungGreedy(
            choices,
            evaluator,
            problem.limits(),
            selector.minimizesCost(),
            timeLimitReached,
            progress);
  }

  public PlanResult plan() {
    List<RungCandidate> statics = choices.statics();
    if (statics.isEmpty()) {
      return new PlanResult.Impossible(
          "no offer has a measured size of a trial that fits on one of its instances,"
              + " which an asynchronous search needs");
    }
    RungBounds bounds = new RungBounds(rule, choiceSet, choices);
    Map<RungCandidate, Evaluation> held =
        new RungRounds(bounds, evaluator, greedy::overrun, timeLimitReached, progress)
            .best(statics);
    boolean enumerates = isEnumerated();
    if (options.kind() != Kind.STATIC) {
      search(held, enumerates);
    }
    CandidateSet staticFrontier = CandidateSet.ofEvaluated(held.values(), problem.limits());
    // A search that reached its time limit before its first step leaves only static clusters.
    CandidateSet frontier =
        options.kind() == Kind.STATIC || greedy.evaluated().isEmpty()
            ? staticFrontier
            : CandidateSet.ofEvaluated(greedy.evaluated().values(), problem.limits());
    return new SampledResult(problem, parameters, choiceSet, evaluator, selector, timeLimitReached)
        .best(staticFrontier, frontier, List.of(), bounds, remark(enumerates));
  }

  private boolean isEnumerated() {
    return (options.kind() == Kind.EXACT || options.kind() == Kind.BEST)
        && choices.count() * rule.trials() <= MOST_ENUMERATED;
  }

  private void search(Map<RungCandidate, Evaluation> held, boolean enumerates) {
    if (enumerates) {
      int done = 0;
      for (RungCandidate candidate : choices.all()) {
        progress.at("plans", done++, (int) choices.count());
        if (!timeLimitReached.getAsBoolean()) {
          greedy.evaluate(candidate.plan(false));
        }
      }
      return;
    }
    for (ToDoubleFunction<Evaluation> figure :
        List.<ToDoubleFunction<Evaluation>>of(Evaluation::costUsd, Evaluation::completionS)) {
      held.entrySet().stream()
          .sorted(
              Comparator.<Map.Entry<RungCandidate, Evaluation>>comparingDouble(
                      one -> Math.max(1, greedy.overrun(one.getValue())))
                  .thenComparingDouble(one -> figure.applyAsDouble(one.getValue())))
          .limit(STARTS)
          .forEach(best -> greedy.descend(best.getKey()));
    }
    greedy.completeFrontier();
  }

  private String remark(boolean enumerated) {
    return enumerated
        ? "the best of all "
            + choices.count()
            + " plans within the sampling error, because which trials are promoted is random"
        : "found step by step, because which trials are promoted is random; the bound counts only"
            + " the work that no order of trials avoids";
  }
}
