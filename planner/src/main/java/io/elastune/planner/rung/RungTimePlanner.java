package io.elastune.planner.rung;

import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.planner.api.Baseline;
import io.elastune.planner.api.Optimum;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.evaluate.CandidateSet;
import io.elastune.planner.evaluate.PlanEvaluator;
import io.elastune.planner.evaluate.PlanEvaluator.Evaluation;
import io.elastune.planner.evaluate.PlanSelector;
import io.elastune.planner.evaluate.PlannerInputs;
import io.elastune.planner.model.Bisection;
import io.elastune.planner.model.ChoiceSet;
import io.elastune.planner.model.OfferChoice;
import io.elastune.planner.result.Baselines;
import io.elastune.planner.result.OptimalityGap.Bounds;
import io.elastune.planner.result.PlanResultBuilder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Plans a search made of rungs that ends at a time: it seeks the plan within the budget with which
 * the most trials start (docs/searches.md, "Stop time"). More instances never start fewer trials,
 * so only their largest number is considered for each offer and size of the trials.
 */
public final class RungTimePlanner {
  private final PlannerInputs inputs;
  private final Problem problem;
  private final ChoiceSet choiceSet;
  private final RungChoices choices;
  private final PlanEvaluator evaluator;
  private final PlanSelector selector;

  /** The given instances, which are held to the end; empty if the budget decides. */
  private final OptionalInt fixed;

  private final boolean holds;

  public RungTimePlanner(PlannerInputs inputs, ChoiceSet choiceSet) {
    this.inputs = inputs;
    this.problem = inputs.problem();
    this.choiceSet = choiceSet;
    this.choices = new RungChoices(choiceSet, problem.workload().rungs().orElseThrow());
    this.evaluator = new PlanEvaluator(inputs);
    this.selector = new PlanSelector(inputs, evaluator);
    this.fixed =
        problem.cluster().map(it -> OptionalInt.of(it.instances())).orElse(OptionalInt.empty());
    this.holds = fixed.isPresent() || inputs.options().kind() == PlannerOptions.Kind.STATIC;
  }

  public PlanResult plan() {
    List<RungCandidate> largest = new ArrayList<>();
    List<RungCandidate> smallest = new ArrayList<>();
    List<RungCandidate> singles = choices.singles();
    int done = 0;
    for (RungCandidate candidate : singles) {
      inputs.progress().at("offers and sizes", done++, singles.size());
      int most = fixed.orElse(choices.most(candidate.offer(), candidate.openGpus()));
      int least = fixed.orElse(1);
      if (candidate.offer().maxInstances() >= least) {
        smallest.add(candidate.withInstances(least));
        mostInBudget(candidate, least, most).ifPresent(largest::add);
      }
    }
    if (smallest.isEmpty()) {
      return new PlanResult.Impossible(choices.refusal());
    }
    return largest.stream()
        .sorted(
            Comparator.comparingDouble((RungCandidate it) -> -evaluator.meanTrials(plan(it)))
                .thenComparingDouble(it -> evaluator.evaluateByScreening(plan(it)).costUsd()))
        .flatMap(candidate -> confirmed(candidate).stream())
        .findFirst()
        .map(this::found)
        .orElseGet(() -> builder(List.of()).infeasible(cheapest(smallest)));
  }

  private Plan plan(RungCandidate candidate) {
    return candidate.plan(holds);
  }

  /** Returns the most instances whose cost seems to be within the budget. */
  private Optional<RungCandidate> mostInBudget(RungCandidate candidate, int least, int most) {
    int met =
        Bisection.first(least, most + 1, count -> !isInBudget(candidate.withInstances(count))) - 1;
    return met < least ? Optional.empty() : Optional.of(candidate.withInstances(met));
  }

  private boolean isInBudget(RungCandidate candidate) {
    return evaluator.evaluateByScreening(plan(candidate)).safeUsd()
        <= problem.limits().budgetOrInfinityUsd();
  }

  /** Returns the plan with as many instances as meet the limits by the final estimate. */
  private Optional<Evaluation> confirmed(RungCandidate candidate) {
    RungCandidate now = candidate;
    while (true) {
      Evaluation evaluation = evaluator.evaluateFinallyIfFeasible(plan(now));
      boolean hasResult = !Double.isInfinite(evaluation.safeS());
      if (hasResult && evaluator.meetsAllLimits(evaluation)) {
        return Optional.of(evaluation);
      }
      boolean late = !hasResult || evaluation.safeS() > problem.limits().deadlineOrInfinityS();
      if (late || now.open() == 1 || fixed.isPresent() || inputs.isOver()) {
        return Optional.empty(); // fewer instances cost less, and are no faster
      }
      now = now.withInstances(now.open() - 1);
    }
  }

  private CandidateSet cheapest(List<RungCandidate> smallest) {
    Plan cheapest =
        smallest.stream()
            .map(this::plan)
            .min(Comparator.comparingDouble(it -> evaluator.evaluateByScreening(it).costUsd()))
            .orElseThrow();
    return frontier(evaluator.evaluateFinally(cheapest));
  }

  private CandidateSet frontier(Evaluation only) {
    return CandidateSet.ofEvaluated(List.of(only), problem.limits());
  }

  private PlanResult found(Evaluation best) {
    // Which work is done in that time is unknown.
    double boundUsd =
        choiceSet.offerChoices().stream().mapToDouble(OfferChoice::newInstanceUsd).min().orElse(0);
    Bounds bounds =
        new Bounds(
            new Optimum(best.costUsd(), 0, Math.min(best.costUsd(), boundUsd), false, false),
            List.of(
                PlanResult.NOT_PROVEN
                    + (fixed.isPresent()
                        ? ": the sizes with which the most trials start before the search ends"
                        : ": the plan within the budget with which the most trials start before the"
                            + " search ends")));
    return builder(baselines(best)).found(best, frontier(best), bounds);
  }

  /** The same instances without releasing any. */
  private List<Baseline> baselines(Evaluation best) {
    Evaluation held = evaluator.evaluateForComparison(new Plan(true, best.plan().allocations()));
    return fixed.isPresent()
        ? List.of()
        : List.of(evaluator.baseline(Baselines.STATIC_CLUSTER, held));
  }

  private PlanResultBuilder builder(List<Baseline> baselines) {
    return new PlanResultBuilder(
        inputs, choiceSet, evaluator, selector, none -> List.of(), baselines);
  }
}
