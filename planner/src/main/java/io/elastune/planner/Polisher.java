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
 * Makes up for what the search's stand-in ({@link ChainModel}) does not know: looks by sampling at
 * the neighbours of a plan that the stand-in says may be better, or almost as good.
 */
final class Polisher {
  private final JobSearch search;
  private final Judge judge;
  private final SearchParameters.LocalSearch parameters;
  private final double deadlineS;
  private final int looks;
  private final List<Plan> found = new ArrayList<>();

  Polisher(
      JobSearch search, Judge judge, SearchParameters.LocalSearch parameters, double deadlineS) {
    this.parameters = parameters;
    this.search = search;
    this.judge = judge;
    this.deadlineS = deadlineS;
    this.looks = parameters.wideTrials() / judge.glanceTrials();
  }

  /** Plans found that keep all limits; in small jobs those, too, that more samples may confirm. */
  List<Plan> found() {
    return found;
  }

  /**
   * Makes a plan that keeps the limits cheaper.
   *
   * @param front what the search found
   */
  Verdict cheapen(Outline from, Verdict verdict, List<Outline> front) {
    Step best = cheapen(new Step(from, verdict));
    for (int round = 0; round < parameters.rounds(); round++) {
      Optional<Step> next = further(best, front);
      if (next.isEmpty()) {
        break;
      }
      best = cheapen(next.get());
    }
    return best.verdict();
  }

  /** In moves from one plan to the next. */
  private Step cheapen(Step from) {
    Step best = from;
    for (int round = 0; round < parameters.rounds(); round++) {
      Outline at = best.outline();
      double dearUsd = at.costUsd() * (1 + parameters.modelErrorRatio() / 2);
      Optional<Step> next =
          cheaper(
              best,
              search.neighbours(
                  at,
                  new Reach(lateS(best) * (1 + parameters.modelErrorRatio()), dearUsd),
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
   * Looks around other plans of the frontier, too: where the stand-in's order of plans is wrong, a
   * better one may be far from the best so far, and near to what is best for another deadline. In
   * small jobs nothing near the frontier is left out, so that no deadline finds less than another.
   */
  private Optional<Step> further(Step best, List<Outline> front) {
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
    return cheaper(best, near(others, reach, nearer));
  }

  /** The plans around some, as many as may be looked at; none in large jobs. */
  private List<Outline> near(List<Outline> origins, Reach reach, Comparator<Outline> order) {
    if (looks < parameters.wideLeastPlans()) {
      return List.of();
    }
    return origins.stream()
        .limit(looks / parameters.widePlansPerOrigin())
        .flatMap(
            at -> Stream.concat(Stream.of(at), search.neighbours(at, reach, order, looks).stream()))
        .distinct()
        .sorted(order)
        .limit(looks)
        .toList();
  }

  /** What the stand-in says of the deadline, going by what it says of a plan. */
  private double lateS(Step at) {
    return at.outline().completionS() * Math.max(1, deadlineS / at.verdict().safeS());
  }

  /** The cheapest of some plans that is cheaper than the best so far, and keeps the limits. */
  private Optional<Step> cheaper(Step best, List<Outline> near) {
    double mostUsd = judge.quick(best.verdict().plan()).costUsd() * (1 - parameters.savingRatio());
    double glanceUsd =
        judge.glanceUsd(best.verdict().plan()) * (1 + parameters.screeningErrorRatio());
    List<Outline> promising =
        near.stream()
            .filter(outline -> judge.glanceUsd(search.plan(outline, false)) < glanceUsd)
            .toList();
    return take(
        promising,
        quick -> judge.all().perhaps().test(quick) && quick.costUsd() < mostUsd,
        Comparator.comparingDouble(step -> step.verdict().costUsd()));
  }

  /**
   * Looks around a plan that seemed to keep the limits, and by more samples does not, for the
   * cheapest that does.
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
    take(near, judge.all().perhaps(), Comparator.comparingDouble(step -> step.verdict().costUsd()));
  }

  /** Looks around a plan that is not quite in time, and then further around, for one that is. */
  Optional<Verdict> rescue(Outline from, List<Outline> front) {
    double lateS = Math.max(deadlineS, from.completionS());
    Reach reach =
        new Reach(lateS * (1 + parameters.wideErrorRatio()), Double.POSITIVE_INFINITY, true);
    return hastened(from)
        .or(
            () ->
                take(
                    near(front, reach, Comparator.comparingDouble(Outline::completionS)),
                    judge.all().perhaps(),
                    Comparator.comparingDouble(step -> step.verdict().costUsd())))
        .map(step -> cheapen(step.outline(), step.verdict(), front));
  }

  private Optional<Step> hastened(Outline from) {
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
      Comparator<Step> sooner = Comparator.comparingDouble(step -> step.verdict().safeS());
      Optional<Step> kept = take(near, judge.all().perhaps(), sooner);
      if (kept.isPresent()) {
        return kept;
      }
      Optional<Step> next =
          looks(near).stream().filter(step -> step.verdict().safeS() < nowS).min(sooner);
      if (next.isEmpty()) {
        return Optional.empty();
      }
      at = next.get().outline();
    }
    return Optional.empty();
  }

  /** A plan and what sampling says of it. */
  private record Step(Outline outline, Verdict verdict) {}

  /** The first of the promising ones that many samples confirm. */
  private Optional<Step> take(
      List<Outline> near, Predicate<Verdict> promising, Comparator<Step> better) {
    Optional<Step> taken =
        looks(near).stream()
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
    if (kept || (looks >= parameters.wideLeastPlans() && judge.all().perhaps().test(full))) {
      found.add(plan);
    }
    return kept;
  }

  private List<Step> looks(List<Outline> near) {
    return near.stream()
        .map(outline -> new Step(outline, judge.quick(search.plan(outline, false))))
        .toList();
  }
}
