package io.elastune.planner;

import io.elastune.core.plan.Plan;
import io.elastune.planner.Judge.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Improves a plan by sampling its neighbors. Corrects errors of the mean-value model ({@link
 * ChainModel}): evaluates the neighbors that the model considers better, or almost as good.
 */
final class Polisher {
  private final JobSearch search;
  private final Judge judge;
  private final SearchParameters.LocalSearch parameters;
  private final double deadlineS;
  private final int widePlans;
  private final List<Plan> found = new ArrayList<>();

  Polisher(
      JobSearch search, Judge judge, SearchParameters.LocalSearch parameters, double deadlineS) {
    this.parameters = parameters;
    this.search = search;
    this.judge = judge;
    this.deadlineS = deadlineS;
    this.widePlans = parameters.wideTrials() / judge.glanceTrials();
  }

  /**
   * Returns the plans found that meet all limits; in small jobs also those that more samples may
   * confirm.
   */
  List<Plan> found() {
    return found;
  }

  /**
   * Lowers the cost of a plan that meets the limits.
   *
   * @param front the frontier of the search
   */
  Verdict cheapen(Outline from, Verdict verdict, List<Outline> front) {
    Step best = cheapen(new Step(from, verdict));
    for (int round = 0; round < parameters.rounds(); round++) {
      Optional<Step> next = searchFurther(best, front);
      if (next.isEmpty()) {
        break;
      }
      best = cheapen(next.get());
    }
    return best.verdict();
  }

  /** Moves from one plan to the next for as long as the cost falls. */
  private Step cheapen(Step from) {
    Step best = from;
    for (int round = 0; round < parameters.rounds(); round++) {
      Outline at = best.outline();
      double highestUsd = at.costUsd() * (1 + parameters.modelErrorRatio() / 2);
      Optional<Step> next =
          cheaper(
              best,
              search.neighbours(
                  at,
                  new Reach(lateS(best) * (1 + parameters.modelErrorRatio()), highestUsd),
                  Comparator.comparingDouble(Outline::costUsd),
                  parameters.neighbors()));
      if (next.isEmpty()) {
        return best;
      }
      best = next.get();
    }
    return best;
  }

  /**
   * Samples the neighbors of other plans of the frontier too: where the model ranks plans wrongly,
   * a better one may be far from the best so far, and near the best plan for another deadline. In
   * small jobs everything near the frontier is sampled, so that no deadline gets a worse result
   * than a stricter one.
   */
  private Optional<Step> searchFurther(Step best, List<Outline> front) {
    double costUsd = best.outline().costUsd();
    double lateS = lateS(best);
    Reach reach =
        new Reach(
            lateS * (1 + parameters.wideErrorRatio()),
            costUsd * (1 + parameters.wideErrorRatio()),
            true);
    List<Outline> others =
        front.stream()
            .filter(at -> at.costUsd() <= reach.dearUsd() && !at.equals(best.outline()))
            .sorted(Comparator.comparingDouble(at -> Math.abs(at.costUsd() - costUsd)))
            .toList();
    Comparator<Outline> nearer =
        Comparator.comparingDouble(
            at -> Math.max(at.costUsd() / costUsd, at.completionS() / lateS));
    return cheaper(best, neighborsOf(others, reach, nearer));
  }

  /** Returns the neighbors of some plans, as many as may be sampled; none in large jobs. */
  private List<Outline> neighborsOf(List<Outline> origins, Reach reach, Comparator<Outline> order) {
    if (widePlans < parameters.wideLeastPlans()) {
      return List.of();
    }
    return origins.stream()
        .limit(widePlans / parameters.widePlansPerOrigin())
        .flatMap(
            at ->
                Stream.concat(
                    Stream.of(at), search.neighbours(at, reach, order, widePlans).stream()))
        .distinct()
        .sorted(order)
        .limit(widePlans)
        .toList();
  }

  /** The deadline in the mean-value model, corrected by the error of the model for this plan. */
  private double lateS(Step at) {
    return at.outline().completionS() * Math.max(1, deadlineS / at.verdict().safeS());
  }

  /**
   * Returns the cheapest of some plans that meets the limits and costs less than the best so far.
   */
  private Optional<Step> cheaper(Step best, List<Outline> near) {
    double mostUsd = judge.quick(best.verdict().plan()).costUsd() * (1 - parameters.savingRatio());
    double glanceUsd =
        judge.glanceUsd(best.verdict().plan()) * (1 + parameters.screeningErrorRatio());
    List<Outline> promising =
        near.stream()
            .filter(outline -> judge.glanceUsd(search.plan(outline, false)) < glanceUsd)
            .toList();
    return firstConfirmed(
        promising,
        quick -> judge.all().perhaps().test(quick) && quick.costUsd() < mostUsd,
        Comparator.comparingDouble(step -> step.verdict().costUsd()));
  }

  /**
   * Searches the neighbors of a plan that met the limits by few samples, and fails by more, for the
   * cheapest that meets them.
   */
  void replace(Outline from) {
    Comparator<Outline> safer =
        Comparator.comparing((Outline outline) -> outline.costUsd() < from.costUsd())
            .thenComparingDouble(Outline::costUsd);
    List<Outline> near =
        search.neighbours(
            from,
            new Reach(
                from.completionS() * (1 + parameters.rankErrorRatio()), Double.POSITIVE_INFINITY),
            safer,
            parameters.neighbors());
    firstConfirmed(
        near, judge.all().perhaps(), Comparator.comparingDouble(step -> step.verdict().costUsd()));
  }

  /**
   * Searches the neighbors of a plan that just misses the deadline, and then further around, for
   * one that meets it.
   */
  Optional<Verdict> rescue(Outline from, List<Outline> front) {
    double lateS = Math.max(deadlineS, from.completionS());
    Reach reach =
        new Reach(lateS * (1 + parameters.wideErrorRatio()), Double.POSITIVE_INFINITY, true);
    return accelerated(from)
        .or(
            () ->
                firstConfirmed(
                    neighborsOf(front, reach, Comparator.comparingDouble(Outline::completionS)),
                    judge.all().perhaps(),
                    Comparator.comparingDouble(step -> step.verdict().costUsd())))
        .map(step -> cheapen(step.outline(), step.verdict(), front));
  }

  private Optional<Step> accelerated(Outline from) {
    Outline at = from;
    for (int round = 0; round < parameters.rounds(); round++) {
      double nowS = judge.quick(search.plan(at, false)).safeS();
      List<Outline> near =
          search.neighbours(
              at,
              new Reach(
                  at.completionS() * (1 + parameters.rankErrorRatio()), Double.POSITIVE_INFINITY),
              Comparator.comparingDouble(Outline::completionS),
              parameters.neighbors());
      Comparator<Step> earlier = Comparator.comparingDouble(step -> step.verdict().safeS());
      Optional<Step> kept = firstConfirmed(near, judge.all().perhaps(), earlier);
      if (kept.isPresent()) {
        return kept;
      }
      Optional<Step> next =
          evaluated(near).stream().filter(step -> step.verdict().safeS() < nowS).min(earlier);
      if (next.isEmpty()) {
        return Optional.empty();
      }
      at = next.get().outline();
    }
    return Optional.empty();
  }

  /** A candidate and its evaluation. */
  private record Step(Outline outline, Verdict verdict) {}

  /** Returns the first of the promising plans that many samples confirm. */
  private Optional<Step> firstConfirmed(
      List<Outline> near, Predicate<Verdict> promising, Comparator<Step> better) {
    Optional<Step> taken =
        evaluated(near).stream()
            .filter(step -> promising.test(step.verdict()))
            .sorted(better)
            .limit(parameters.confirmedPlans())
            .filter(step -> isConfirmed(step.verdict().plan()))
            .findFirst();
    return taken.map(step -> new Step(step.outline(), judge.full(step.verdict().plan())));
  }

  private boolean isConfirmed(Plan plan) {
    Verdict full = judge.full(plan);
    boolean kept = judge.keepsAll(full);
    if (kept || (widePlans >= parameters.wideLeastPlans() && judge.all().perhaps().test(full))) {
      found.add(plan);
    }
    return kept;
  }

  private List<Step> evaluated(List<Outline> near) {
    return near.stream()
        .map(outline -> new Step(outline, judge.quick(search.plan(outline, false))))
        .toList();
  }
}
