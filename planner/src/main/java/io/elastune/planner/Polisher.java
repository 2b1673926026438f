package io.elastune.planner;

import io.elastune.core.plan.Plan;
import io.elastune.planner.Judge.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

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

  private final JobSearch search;
  private final Judge judge;
  private final double deadlineS;
  private final List<Plan> found = new ArrayList<>();

  Polisher(JobSearch search, Judge judge, double deadlineS) {
    this.search = search;
    this.judge = judge;
    this.deadlineS = deadlineS;
  }

  /** Plans found that keep all limits, the last the best. */
  List<Plan> found() {
    return found;
  }

  /** Makes a plan that keeps the limits cheaper. */
  Optional<Verdict> cheapen(Outline from, Verdict verdict) {
    Outline at = from;
    Verdict best = verdict;
    for (int round = 0; round < ROUNDS; round++) {
      double lateS = at.completionS() * (1 + TRUST) * Math.max(1, deadlineS / best.safeS());
      double dearUsd = at.costUsd() * (1 + TRUST / 2);
      double mostUsd = judge.quick(best.plan()).costUsd() * (1 - WORTH);
      double glanceUsd = judge.glanceUsd(best.plan()) * (1 + UNSURE);
      List<Outline> near =
          search
              .neighbours(at, lateS, dearUsd, Comparator.comparingDouble(Outline::costUsd), LOOKS)
              .stream()
              .filter(outline -> judge.glanceUsd(search.plan(outline, false)) < glanceUsd)
              .toList();
      Optional<Step> next =
          take(
              near,
              quick -> judge.all().perhaps().test(quick) && quick.costUsd() < mostUsd,
              Comparator.comparingDouble(step -> step.quick().costUsd()));
      if (next.isEmpty()) {
        return Optional.of(best);
      }
      at = next.get().outline();
      best = judge.full(next.get().quick().plan());
    }
    return Optional.of(best);
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
            from, from.completionS() * (1 + FAR), Double.POSITIVE_INFINITY, safer, LOOKS);
    take(near, judge.all().perhaps(), Comparator.comparingDouble(step -> step.quick().costUsd()));
  }

  /** Looks around a plan that is not quite in time for one that is. */
  Optional<Verdict> rescue(Outline from) {
    Outline at = from;
    for (int round = 0; round < ROUNDS; round++) {
      double nowS = judge.quick(search.plan(at, false)).safeS();
      List<Outline> near =
          search.neighbours(
              at,
              at.completionS() * (1 + FAR),
              Double.POSITIVE_INFINITY,
              Comparator.comparingDouble(Outline::completionS),
              LOOKS);
      Comparator<Step> sooner = Comparator.comparingDouble(step -> step.quick().safeS());
      Optional<Step> kept = take(near, judge.all().perhaps(), sooner);
      if (kept.isPresent()) {
        return cheapen(kept.get().outline(), judge.full(kept.get().quick().plan()));
      }
      Optional<Step> next =
          looks(near).stream().filter(step -> step.quick().safeS() < nowS).min(sooner);
      if (next.isEmpty()) {
        return Optional.empty();
      }
      at = next.get().outline();
    }
    return Optional.empty();
  }

  /** A neighbour and what few samples say of it. */
  private record Step(Outline outline, Verdict quick) {}

  /** The first of the promising ones that many samples confirm. */
  private Optional<Step> take(
      List<Outline> near, Predicate<Verdict> promising, Comparator<Step> better) {
    Optional<Step> taken =
        looks(near).stream()
            .filter(step -> promising.test(step.quick()))
            .sorted(better)
            .limit(CONFIRMED)
            .filter(step -> judge.keepsAll(judge.full(step.quick().plan())))
            .findFirst();
    taken.ifPresent(step -> found.add(step.quick().plan()));
    return taken;
  }

  private List<Step> looks(List<Outline> near) {
    return near.stream()
        .map(outline -> new Step(outline, judge.quick(search.plan(outline, false))))
        .toList();
  }
}
