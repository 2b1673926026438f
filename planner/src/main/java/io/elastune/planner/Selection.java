package io.elastune.planner;

import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.planner.Judge.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Chooses among the plans of a frontier, by the limits of the job (model.md). */
final class Selection {
  private static final Comparator<Verdict> CHEAPER =
      (a, b) -> tied(a.costUsd(), b.costUsd(), a.completionS(), b.completionS());
  private static final Comparator<Verdict> FASTER =
      (a, b) -> tied(a.completionS(), b.completionS(), a.costUsd(), b.costUsd());

  private final Limits limits;
  private final Judge judge;
  private final Settler settler;

  Selection(Limits limits, Judge judge) {
    this.limits = limits;
    this.judge = judge;
    this.settler = new Settler(judge);
  }

  /**
   * The best plan that keeps all limits: with a deadline (or without any limit) the cheapest, else
   * the fastest.
   *
   * @param fastestFirst a frontier
   */
  Optional<Verdict> best(List<Plan> fastestFirst) {
    return isTimed()
        ? cheapest(fastestFirst, judge::keepsAll)
        : fastest(fastestFirst, judge::keepsAll);
  }

  /** The better of two answers, where there are two. */
  Optional<Verdict> better(Optional<Verdict> one, Optional<Verdict> other) {
    return Stream.of(one, other).flatMap(Optional::stream).min(isTimed() ? CHEAPER : FASTER);
  }

  /** Whether least cost is what is sought. */
  boolean isTimed() {
    return limits.deadlineS().isPresent() || limits.budgetUsd().isEmpty();
  }

  /** The cheapest plan that is on time, whatever the budget. */
  Optional<Verdict> cheapestOnTime(List<Plan> fastestFirst) {
    return cheapest(fastestFirst, judge::onTime);
  }

  /** The fastest plan in budget, whatever the deadline. */
  Optional<Verdict> fastestInBudget(List<Plan> fastestFirst) {
    return fastest(fastestFirst, judge::inBudget);
  }

  private Optional<Verdict> cheapest(List<Plan> fastestFirst, Predicate<Verdict> limit) {
    List<Plan> cheapestFirst = new ArrayList<>(fastestFirst);
    Collections.reverse(cheapestFirst);
    return settler.best(cheapestFirst, judge::onTime, limit, CHEAPER);
  }

  private Optional<Verdict> fastest(List<Plan> fastestFirst, Predicate<Verdict> limit) {
    return settler.best(fastestFirst, judge::inBudget, limit, FASTER);
  }

  /** The plan that breaks the limits by the smallest factor. */
  Verdict nearest(List<Plan> plans) {
    return plans.stream()
        .map(judge::full)
        .min(Comparator.comparingDouble(this::excess))
        .orElseThrow();
  }

  private double excess(Verdict verdict) {
    double late = verdict.safeS() / limits.deadlineS().orElse(Double.POSITIVE_INFINITY);
    double dear = verdict.safeUsd() / limits.budgetUsd().orElse(Double.POSITIVE_INFINITY);
    return Math.max(late, dear);
  }

  private static int tied(double a, double b, double a2, double b2) {
    int order = Chooser.compare(a, b);
    return order != 0 ? order : Chooser.compare(a2, b2);
  }
}
