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
  private static final int ROUNDS = 4;

  /** Neighbours that are sampled in a round. */
  private static final int LOOKS = 20;

  /** Neighbours of which many samples are drawn because few say that they may do. */
  private static final int CONFIRMED = 8;

  /** The stand-in may be wrong by this much. */
  private static final double TRUST = 0.03;

  /** … and by this much where its own order of plans was wrong. */
  private static final double FAR = 0.08;

  /** By the very first samples a plan that is cheaper may seem dearer by this much. */
  private static final double UNSURE = 0.002;

  /** A saving below this is not worth another round. */
  private static final double WORTH = 1e-4;

  /** Trials that may be played to look further around. */
  private static final int WIDE_TRIALS = 400_000;

  /**
   * The stand-in may be wrong by this much where few trials meet boots or queues that vary a lot.
   */
  private static final double WIDE = 0.4;

  /** With fewer plans to look at it is not worth it: so in jobs of more than some 50 trials. */
  private static final int FEWEST = 120;

  /** Plans that are looked at for each of the frontier from which they are one move away. */
  private static final int EACH = 8;

  private final JobSearch search;
  private final Judge judge;
  private final double deadlineS;
  private final int looks;
  private final List<Plan> found = new ArrayList<>();

  Polisher(JobSearch search, Judge judge, double deadlineS) {
    this.search = search;
    this.judge = judge;
    this.deadlineS = deadlineS;
    this.looks = WIDE_TRIALS / judge.glanceTrials();
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
    for (int round = 0; round < ROUNDS; round++) {
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
    for (int round = 0; round < ROUNDS; round++) {
      Outline at = best.outline();
      double dearUsd = at.costUsd() * (1 + TRUST / 2);
      Optional<Step> next =
          cheaper(
              best,
              search.neighbours(
                  at,
                  new Reach(lateS(best) * (1 + TRUST), dearUsd),
                  Comparator.comparingDouble(Outline::costUsd),
                  LOOKS));
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
    Reach reach = new Reach(lateS * (1 + WIDE), costUsd * (1 + WIDE), true);
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
    if (looks < FEWEST) {
      return List.of();
    }
    return origins.stream()
        .limit(looks / EACH)
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
    double mostUsd = judge.quick(best.verdict().plan()).costUsd() * (1 - WORTH);
    double glanceUsd = judge.glanceUsd(best.verdict().plan()) * (1 + UNSURE);
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
            new Reach(from.completionS() * (1 + FAR), Double.POSITIVE_INFINITY),
            safer,
            LOOKS);
    take(near, judge.all().perhaps(), Comparator.comparingDouble(step -> step.verdict().costUsd()));
  }

  /** Looks around a plan that is not quite in time, and then further around, for one that is. */
  Optional<Verdict> rescue(Outline from, List<Outline> front) {
    double lateS = Math.max(deadlineS, from.completionS());
    Reach reach = new Reach(lateS * (1 + WIDE), Double.POSITIVE_INFINITY, true);
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
    for (int round = 0; round < ROUNDS; round++) {
      double nowS = judge.quick(search.plan(at, false)).safeS();
      List<Outline> near =
          search.neighbours(
              at,
              new Reach(at.completionS() * (1 + FAR), Double.POSITIVE_INFINITY),
              Comparator.comparingDouble(Outline::completionS),
              LOOKS);
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
            .limit(CONFIRMED)
            .filter(step -> isConfirmed(step.verdict().plan()))
            .findFirst();
    return taken.map(step -> new Step(step.outline(), judge.full(step.verdict().plan())));
  }

  private boolean isConfirmed(Plan plan) {
    Verdict full = judge.full(plan);
    boolean kept = judge.keepsAll(full);
    if (kept || (looks >= FEWEST && judge.all().perhaps().test(full))) {
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
