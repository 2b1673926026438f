package io.elastune.planner;

import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.planner.evaluate.PlanEvaluator;
import io.elastune.planner.evaluate.PlanEvaluator.Evaluation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Searches the plans of a search made of rungs step by step, on common random numbers
 * (docs/searches.md, "The planner"). Each candidate is evaluated once.
 */
final class RungGreedy {
  private static final int MOST_STEPS = 60;

  private final RungChoices choices;
  private final PlanEvaluator evaluator;
  private final Limits limits;
  private final boolean minimizesCost;
  private final BooleanSupplier timeLimitReached;
  private final Map<Plan, Evaluation> evaluated = new LinkedHashMap<>();

  RungGreedy(
      RungChoices choices,
      PlanEvaluator evaluator,
      Limits limits,
      boolean minimizesCost,
      BooleanSupplier timeLimitReached) {
    this.choices = choices;
    this.evaluator = evaluator;
    this.limits = limits;
    this.minimizesCost = minimizesCost;
    this.timeLimitReached = timeLimitReached;
  }

  /** Returns all plans evaluated so far. */
  Map<Plan, Evaluation> evaluated() {
    return evaluated;
  }

  Evaluation evaluate(Plan plan) {
    return evaluated.computeIfAbsent(plan, evaluator::evaluateByScreening);
  }

  /** Improves a plan until no neighbor is better. */
  void descend(RungCandidate start) {
    RungCandidate now = start;
    for (int step = 0; step < MOST_STEPS && !timeLimitReached.getAsBoolean(); step++) {
      Optional<RungCandidate> next = best(now);
      if (next.isEmpty()) {
        return;
      }
      now = next.get();
    }
  }

  private Optional<RungCandidate> best(RungCandidate from) {
    Evaluation before = evaluate(from.plan(false));
    Optional<RungCandidate> best = Optional.empty();
    double bestGain = 0;
    for (RungCandidate candidate : choices.neighbors(from)) {
      double gain = gain(before, evaluate(candidate.plan(false)));
      if (gain > bestGain) {
        bestGain = gain;
        best = Optional.of(candidate);
      }
    }
    return best;
  }

  /** The marginal benefit of a change; not above 0 if it is no improvement. */
  private double gain(Evaluation before, Evaluation after) {
    double overrunBefore = overrun(before);
    double overrunAfter = overrun(after);
    if (overrunBefore > 1 || overrunAfter > 1) {
      return overrunBefore > 1 ? overrunBefore - overrunAfter : 0;
    }
    double saved =
        minimizesCost
            ? before.costUsd() - after.costUsd()
            : before.completionS() - after.completionS();
    double lost =
        minimizesCost
            ? after.completionS() - before.completionS()
            : after.costUsd() - before.costUsd();
    if (saved <= 0) {
      return 0;
    }
    return lost <= 0 ? Double.MAX_VALUE / 2 + saved : saved / lost;
  }

  /** By which factor a plan exceeds the limits; at most 1 if it meets them. */
  double overrun(Evaluation evaluation) {
    return Math.max(
        evaluation.safeS() / limits.deadlineOrInfinityS(),
        evaluation.safeUsd() / limits.budgetOrInfinityUsd());
  }
}
