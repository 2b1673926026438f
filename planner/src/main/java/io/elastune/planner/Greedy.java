package io.elastune.planner;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Greedy descent by marginal benefit for one chain (docs/model.md; after RubberBand, EuroSys'21):
 * of all neighbors that meet the deadline, takes the one that saves most dollars per second lost,
 * until no neighbor is cheaper.
 */
final class Greedy {
  private final ChainModel model;
  private final Scorer scorer;
  private final Neighbours neighbours;
  private final Pool pool;
  private final BooleanSupplier timeLimitReached;

  /** One descent: its start, its steps and its end. */
  record Descent(Draft start, List<Step> steps, Draft end) {}

  /**
   * @param timeLimitReached whether the time limit is reached: searches then return the best plan
   *     so far
   */
  Greedy(ChainModel model, Pool pool, BooleanSupplier timeLimitReached) {
    this.model = model;
    this.timeLimitReached = timeLimitReached;
    this.pool = pool;
    this.scorer = new Scorer(model);
    this.neighbours = new Neighbours(model);
  }

  Scorer scorer() {
    return scorer;
  }

  Neighbours neighbours() {
    return neighbours;
  }

  /** Lowers the cost of {@code start} for as long as one move can. */
  Descent descend(Draft start, double deadlineS, Predicate<Rental> allowed, int cap) {
    List<Step> steps = new ArrayList<>();
    Draft best = start;
    for (Move move = next(best, deadlineS, allowed, cap);
        move.draft != null && !timeLimitReached.getAsBoolean();
        move = next(best, deadlineS, allowed, cap)) {
      steps.add(step(best, move.draft, move.benefit));
      best = move.draft;
    }
    return new Descent(start, steps, best);
  }

  /** Lowers the completion time of {@code start} for as long as one move can. */
  Draft hasten(Draft start, Predicate<Rental> allowed, int cap) {
    Draft best = start;
    boolean better = true;
    while (better && !timeLimitReached.getAsBoolean()) {
      scorer.score(best.sizeArray(), best.instanceArray());
      Fastest fastest = new Fastest(best);
      neighbours.each(best, allowed, cap, fastest);
      better = !fastest.best.equals(best);
      best = fastest.best;
    }
    return best;
  }

  /** Returns the neighbors of {@code base}, and the plans with one instance more or less. */
  Stream<Draft> around(Draft base, Predicate<Rental> allowed, int cap, Reach reach) {
    scorer.score(base.sizeArray(), base.instanceArray());
    List<Draft> all = new ArrayList<>();
    Neighbours.Visitor scored =
        (sizes, instances, from) -> {
          if (scorer.varyWithin(sizes, instances, from, reach.dearUsd(), reach.lateS())) {
            all.add(scorer.draft(sizes, instances));
          }
        };
    if (reach.every()) {
      neighbours.every(base, allowed, cap, scored);
    } else {
      neighbours.each(base, allowed, cap, scored);
      neighbours.spare(base, cap, scored);
    }
    return all.stream().distinct();
  }

  private Move next(Draft best, double deadlineS, Predicate<Rental> allowed, int cap) {
    scorer.score(best.sizeArray(), best.instanceArray());
    Move move = new Move(best, deadlineS);
    neighbours.each(best, allowed, cap, move);
    return move;
  }

  private Step step(Draft from, Draft to, double benefit) {
    return new Step(
        Wording.change(model, from, to),
        from.costUsd(),
        to.costUsd(),
        from.meanS(),
        to.meanS(),
        benefit);
  }

  /** Finds the neighbor with the greatest marginal benefit. */
  private final class Move implements Neighbours.Visitor {
    private final Draft base;
    private final double deadlineS;
    private double benefit;
    private double savingUsd;
    private @Nullable Draft draft;

    Move(Draft base, double deadlineS) {
      this.base = base;
      this.deadlineS = deadlineS;
    }

    @Override
    public void visit(Size[] sizes, int[] instances, int from) {
      double mostUsd = base.costUsd() - Timed.SAME;
      double latestS = deadlineS * (1 + model.doubt()) + Timed.SAME;
      if (!scorer.varyWithin(sizes, instances, from, mostUsd, latestS)) {
        return;
      }
      pool.offer(sizes, instances, scorer);
      if (scorer.completionS() > deadlineS + Timed.SAME) {
        return;
      }
      double saving = base.costUsd() - scorer.costUsd();
      double lostS = scorer.meanS() - base.meanS();
      double ratio = lostS <= Timed.SAME ? Double.POSITIVE_INFINITY : saving / lostS;
      if (ratio > benefit || (ratio == benefit && saving > savingUsd)) {
        benefit = ratio;
        savingUsd = saving;
        draft = scorer.draft(sizes, instances);
      }
    }
  }

  /** Finds the neighbor that completes first. */
  private final class Fastest implements Neighbours.Visitor {
    private final double latestS;
    private Draft best;

    Fastest(Draft base) {
      this.best = base;
      this.latestS = base.completionS() * (1 + model.doubt()) + Timed.SAME;
    }

    @Override
    public void visit(Size[] sizes, int[] instances, int from) {
      if (!scorer.varyWithin(sizes, instances, from, Double.POSITIVE_INFINITY, latestS)) {
        return;
      }
      pool.offer(sizes, instances, scorer);
      if (scorer.completionS() < best.completionS() - Timed.SAME
          || (scorer.completionS() <= best.completionS() + Timed.SAME
              && scorer.costUsd() < best.costUsd() - Timed.SAME)) {
        best = scorer.draft(sizes, instances);
      }
    }
  }
}
