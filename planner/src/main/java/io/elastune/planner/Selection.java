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

/** Chooses among the plans of a frontier, by the limits of the job (model.md). */
final class Selection {
  /** Limits below this are as far away. */
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
   * The best plan that keeps all limits: with a deadline (or without any limit) the cheapest, else
   * the fastest.
   */
  Optional<Verdict> best(Choices choices) {
    return isTimed() ? cheapest(choices, judge.all()) : fastest(choices, judge.all());
  }

  /**
   * The best by as many samples as are shown: of the plans compared so far, or else one that keeps
   * the limits more surely.
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

  /** From the plans compared on, those that are likelier to keep the limit. */
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

  /** Whether least cost is what is sought. */
  boolean isTimed() {
    return isTimed(limits);
  }

  /** Whether the job is to be as cheap as possible, rather than as fast as possible. */
  static boolean isTimed(Limits limits) {
    return limits.deadlineS().isPresent() || limits.budgetUsd().isEmpty();
  }

  /** The cheapest plan that is on time, whatever the budget. */
  Optional<Verdict> cheapestOnTime(Choices choices) {
    return cheapest(choices, judge.deadline());
  }

  /** The fastest plan in budget, whatever the deadline. */
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
   * The plan that breaks the limits by the smallest factor: sought where the later plans begin to
   * be further beyond the deadline than the budget.
   *
   * @param choices at least one
   */
  Verdict nearest(Choices choices) {
    List<Plan> fastestFirst = choices.fastestFirst();
    int border =
        Settler.border(
            fastestFirst,
            choices.onTime(),
            plan -> late(judge.quick(plan)) >= dear(judge.quick(plan)));
    int from = Math.max(0, Math.min(border, fastestFirst.size()) - parameters.nearestPlans());
    int to = Math.min(fastestFirst.size(), border + parameters.nearestPlans());
    return fastestFirst.subList(from, to).stream()
        .sorted(Comparator.comparingDouble(plan -> excess(judge.quick(plan))))
        .limit(parameters.nearestPlans())
        .map(judge::full)
        .min(Comparator.comparingDouble(this::excess))
        .orElseThrow();
  }

  private double excess(Verdict verdict) {
    return Math.max(late(verdict), dear(verdict));
  }

  private double late(Verdict verdict) {
    // Of a deadline that has passed every plan is a multiple; the soonest is the nearest.
    return verdict.safeS() / Math.max(LEAST, limits.deadlineS().orElse(Double.POSITIVE_INFINITY));
  }

  private double dear(Verdict verdict) {
    return verdict.safeUsd() / Math.max(LEAST, limits.budgetUsd().orElse(Double.POSITIVE_INFINITY));
  }
}
