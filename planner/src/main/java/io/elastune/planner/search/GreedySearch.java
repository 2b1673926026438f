package io.elastune.planner.search;

import io.elastune.planner.api.GreedyStep;
import io.elastune.planner.model.CandidateScorer;
import io.elastune.planner.model.ChainCandidate;
import io.elastune.planner.model.MeanValueModel;
import io.elastune.planner.model.OfferChoice;
import io.elastune.planner.model.PlanDescriptions;
import io.elastune.planner.model.TimeAndCost;
import io.elastune.planner.model.TrialShape;
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
final class GreedySearch {
  private final MeanValueModel model;
  private final CandidateScorer candidateScorer;
  private final Neighbors neighbors;
  private final CandidatePool candidatePool;
  private final BooleanSupplier timeLimitReached;

  /** One descent: its start, its steps and its end. */
  record Descent(ChainCandidate start, List<GreedyStep> steps, ChainCandidate end) {}

  /**
   * @param timeLimitReached whether the time limit is reached: searches then return the best plan
   *     so far
   */
  GreedySearch(
      MeanValueModel model, CandidatePool candidatePool, BooleanSupplier timeLimitReached) {
    this.model = model;
    this.timeLimitReached = timeLimitReached;
    this.candidatePool = candidatePool;
    this.candidateScorer = new CandidateScorer(model);
    this.neighbors = new Neighbors(model);
  }

  CandidateScorer scorer() {
    return candidateScorer;
  }

  Neighbors neighborMoves() {
    return neighbors;
  }

  /** Lowers the cost of {@code start} for as long as one move can. */
  Descent descend(ChainCandidate start, double deadlineS, Predicate<OfferChoice> allowed, int cap) {
    List<GreedyStep> greedySteps = new ArrayList<>();
    ChainCandidate best = start;
    for (Move move = next(best, deadlineS, allowed, cap);
        move.chainCandidate != null && !timeLimitReached.getAsBoolean();
        move = next(best, deadlineS, allowed, cap)) {
      greedySteps.add(step(best, move.chainCandidate, move.benefit));
      best = move.chainCandidate;
    }
    return new Descent(start, greedySteps, best);
  }

  /** Lowers the completion time of {@code start} for as long as one move can. */
  ChainCandidate hasten(ChainCandidate start, Predicate<OfferChoice> allowed, int cap) {
    ChainCandidate best = start;
    boolean better = true;
    while (better && !timeLimitReached.getAsBoolean()) {
      candidateScorer.score(best.sizeArray(), best.instanceArray());
      Fastest fastest = new Fastest(best);
      neighbors.visitNeighbors(best, allowed, cap, fastest);
      better = !fastest.best.equals(best);
      best = fastest.best;
    }
    return best;
  }

  /** Returns the neighbors of {@code base}, and the plans with one instance more or less. */
  Stream<ChainCandidate> neighborsOf(
      ChainCandidate base, Predicate<OfferChoice> allowed, int cap, NeighborLimits neighborLimits) {
    candidateScorer.score(base.sizeArray(), base.instanceArray());
    List<ChainCandidate> all = new ArrayList<>();
    Neighbors.Visitor scored =
        (trialShapes, instances, from) -> {
          if (candidateScorer.varyWithin(
              trialShapes, instances, from, neighborLimits.maxUsd(), neighborLimits.latestS())) {
            all.add(candidateScorer.candidate(trialShapes, instances));
          }
        };
    if (neighborLimits.anyCount()) {
      neighbors.visitAllCounts(base, allowed, cap, scored);
    } else {
      neighbors.visitNeighbors(base, allowed, cap, scored);
      neighbors.visitOneMoreOrLess(base, cap, scored);
    }
    return all.stream().distinct();
  }

  private Move next(
      ChainCandidate best, double deadlineS, Predicate<OfferChoice> allowed, int cap) {
    candidateScorer.score(best.sizeArray(), best.instanceArray());
    Move move = new Move(best, deadlineS);
    neighbors.visitNeighbors(best, allowed, cap, move);
    return move;
  }

  private GreedyStep step(ChainCandidate from, ChainCandidate to, double benefit) {
    return new GreedyStep(
        PlanDescriptions.change(model, from, to),
        from.costUsd(),
        to.costUsd(),
        from.meanS(),
        to.meanS(),
        benefit);
  }

  /** Finds the neighbor with the greatest marginal benefit. */
  private final class Move implements Neighbors.Visitor {
    private final ChainCandidate base;
    private final double deadlineS;
    private double benefit;
    private double savingUsd;
    private @Nullable ChainCandidate chainCandidate;

    Move(ChainCandidate base, double deadlineS) {
      this.base = base;
      this.deadlineS = deadlineS;
    }

    @Override
    public void visit(TrialShape[] trialShapes, int[] instances, int from) {
      double mostUsd = base.costUsd() - TimeAndCost.TOLERANCE;
      double latestS = deadlineS * (1 + model.completionErrorRatio()) + TimeAndCost.TOLERANCE;
      if (!candidateScorer.varyWithin(trialShapes, instances, from, mostUsd, latestS)) {
        return;
      }
      candidatePool.addIfBetter(trialShapes, instances, candidateScorer);
      if (candidateScorer.completionS() > deadlineS + TimeAndCost.TOLERANCE) {
        return;
      }
      double saving = base.costUsd() - candidateScorer.costUsd();
      double lostS = candidateScorer.meanS() - base.meanS();
      double ratio = lostS <= TimeAndCost.TOLERANCE ? Double.POSITIVE_INFINITY : saving / lostS;
      if (ratio > benefit || (ratio == benefit && saving > savingUsd)) {
        benefit = ratio;
        savingUsd = saving;
        chainCandidate = candidateScorer.candidate(trialShapes, instances);
      }
    }
  }

  /** Finds the neighbor that completes first. */
  private final class Fastest implements Neighbors.Visitor {
    private final double latestS;
    private ChainCandidate best;

    Fastest(ChainCandidate base) {
      this.best = base;
      this.latestS =
          base.completionS() * (1 + model.completionErrorRatio()) + TimeAndCost.TOLERANCE;
    }

    @Override
    public void visit(TrialShape[] trialShapes, int[] instances, int from) {
      if (!candidateScorer.varyWithin(
          trialShapes, instances, from, Double.POSITIVE_INFINITY, latestS)) {
        return;
      }
      candidatePool.addIfBetter(trialShapes, instances, candidateScorer);
      if (candidateScorer.completionS() < best.completionS() - TimeAndCost.TOLERANCE
          || (candidateScorer.completionS() <= best.completionS() + TimeAndCost.TOLERANCE
              && candidateScorer.costUsd() < best.costUsd() - TimeAndCost.TOLERANCE)) {
        best = candidateScorer.candidate(trialShapes, instances);
      }
    }
  }
}
