package io.elastune.planner;

import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.planner.Judge.Limit;
import io.elastune.planner.Judge.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Selects the best plan of a frontier by the limits of the job (docs/model.md). */
final class Selection {
  /**
   * Least limit in seconds or dollars, to avoid division by zero for a limit that has passed; not
   * tunable.
   */
  private static final double LEAST = 1e-6;

  private final Limits limits;
  private final Judge judge;
  private final SearchParameters.Race parameters;
  private final Settler settler;

  Selection(Limits limits, Judge judge, SearchParameters.Race parameters) {
    this.parameters = parameters;
    this.limits = limits;
    this.judge = judge;
    this.settler = new Settler(judge, parameters);
  }

  /**
   * Returns the best plan that meets all limits: with a deadline (or without any limit) the
   * cheapest, else the fastest.
   */
  Optional<Verdict> best(Choices choices) {
    return isTimed() ? cheapest(choices, judge.all()) : fastest(choices, judge.all());
  }

  /**
   * Returns the best plan by the samples of the final estimate: of the plans compared so far, or
   * else one that meets the limits with more margin.
   *
   * @param others plans that are not on the frontier
   */
  Optional<Verdict> sure(List<Plan> fastestFirst, List<Plan> others) {
    Aim aim = isTimed() ? Aim.CHEAPER : Aim.FASTER;
    List<Verdict> ranked =
        Stream.concat(fastestFirst.stream(), others.stream())
            .filter(judge::isKnown)
            .map(judge::full)
            .filter(judge.all().perhaps())
            .sorted(aim)
            .toList();
    return settler.sure(ranked, safer(fastestFirst), judge::keepsAll, aim);
  }

  /** The plans, from the first one compared, that are more likely to meet the limit. */
  private List<Plan> safer(List<Plan> fastestFirst) {
    List<Plan> rest = new ArrayList<>(fastestFirst);
    if (isTimed()) {
      Collections.reverse(rest);
    }
    int from = 0;
    while (from < rest.size() && !judge.isKnown(rest.get(from))) {
      from++;
    }
    return rest.subList(from, rest.size());
  }

  /** Whether the cheapest plan is sought, rather than the fastest. */
  boolean isTimed() {
    return isTimed(limits);
  }

  /** Whether the cheapest plan is sought for these limits, rather than the fastest. */
  static boolean isTimed(Limits limits) {
    return limits.deadlineS().isPresent() || limits.budgetUsd().isEmpty();
  }

  /** Returns the cheapest plan that meets the deadline, regardless of the budget. */
  Optional<Verdict> cheapestOnTime(Choices choices) {
    return cheapest(choices, judge.deadline());
  }

  /** Returns the fastest plan within the budget, regardless of the deadline. */
  Optional<Verdict> fastestInBudget(Choices choices) {
    return fastest(choices, judge.budget());
  }

  private Optional<Verdict> cheapest(Choices choices, Limit limit) {
    List<Plan> cheapestFirst = new ArrayList<>(choices.fastestFirst());
    Collections.reverse(cheapestFirst);
    int late = cheapestFirst.size() - choices.onTime();
    return settler.best(cheapestFirst, late, judge.deadline(), limit, Aim.CHEAPER);
  }

  private Optional<Verdict> fastest(Choices choices, Limit limit) {
    return settler.best(
        choices.fastestFirst(), choices.overBudget(), judge.budget(), limit, Aim.FASTER);
  }

  /**
   * Returns the plan that exceeds the limits by the smallest factor, searched where the overrun of
   * the deadline begins to exceed that of the budget.
   *
   * @param choices at least one
   */
  Verdict nearest(Choices choices) {
    List<Plan> fastestFirst = choices.fastestFirst();
    int border =
        Settler.border(
            fastestFirst,
            choices.onTime(),
            plan -> deadlineFactor(judge.quick(plan)) >= budgetFactor(judge.quick(plan)));
    int from = Math.max(0, Math.min(border, fastestFirst.size()) - parameters.nearestPlans());
    int to = Math.min(fastestFirst.size(), border + parameters.nearestPlans());
    return fastestFirst.subList(from, to).stream()
        .sorted(Comparator.comparingDouble(plan -> largestFactor(judge.quick(plan))))
        .limit(parameters.nearestPlans())
        .map(judge::full)
        .min(Comparator.comparingDouble(this::largestFactor))
        .orElseThrow();
  }

  private double largestFactor(Verdict verdict) {
    return Math.max(deadlineFactor(verdict), budgetFactor(verdict));
  }

  private double deadlineFactor(Verdict verdict) {
    // If the deadline has passed, the earliest plan is the nearest.
    return verdict.safeS() / Math.max(LEAST, limits.deadlineS().orElse(Double.POSITIVE_INFINITY));
  }

  private double budgetFactor(Verdict verdict) {
    return verdict.safeUsd() / Math.max(LEAST, limits.budgetUsd().orElse(Double.POSITIVE_INFINITY));
  }
}
