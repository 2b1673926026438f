package io.elastune.planner;

import io.elastune.core.plan.Plan;
import io.elastune.planner.evaluate.PlanEvaluator;
import io.elastune.planner.evaluate.PlanEvaluator.Evaluation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.ToDoubleFunction;

/**
 * Finds the best static clusters of a search made of rungs in rounds (docs/searches.md, "The
 * planner"): all plans that their bounds do not exclude get one sample or a few, the best of these
 * get more, and the best of those the samples of a screening. All have the same draws.
 */
final class RungRounds {
  /** Trials to simulate for a plan in the first round. */
  private static final int FIRST_TRIALS = 256;

  /** The same in the second round. */
  private static final int SECOND_TRIALS = 2_048;

  /** The most samples of a plan in both rounds. */
  private static final int MOST_SAMPLES = 8;

  /** Plans that are best in some respect, and continue in the second round. */
  private static final int FIRST_KEPT = 12;

  /** The same after the second round. */
  private static final int SECOND_KEPT = 4;

  /** By which part plans may exceed a limit by few samples and meet it by more. */
  private static final double MARGIN = 0.1;

  private final RungBounds bounds;
  private final PlanEvaluator evaluator;
  private final ToDoubleFunction<Evaluation> overrun;
  private final BooleanSupplier timeLimitReached;

  /**
   * @param overrun by which factor a plan exceeds the limits
   */
  RungRounds(
      RungBounds bounds,
      PlanEvaluator evaluator,
      ToDoubleFunction<Evaluation> overrun,
      BooleanSupplier timeLimitReached) {
    this.bounds = bounds;
    this.evaluator = evaluator;
    this.overrun = overrun;
    this.timeLimitReached = timeLimitReached;
  }

  /** Returns the static clusters that are cheapest or fastest, by the samples of a screening. */
  Map<RungCandidate, Evaluation> best(List<RungCandidate> statics) {
    List<RungCandidate> cheapestFirst = new ArrayList<>(statics);
    cheapestFirst.sort(Comparator.comparingDouble(bounds::staticUsd));
    int first = evaluator.samplesOf(FIRST_TRIALS, MOST_SAMPLES);
    Map<RungCandidate, Evaluation> found = new LinkedHashMap<>();
    Front front = new Front();
    for (RungCandidate candidate : cheapestFirst) {
      // A search whose time limit is reached leaves at least one plan.
      boolean isOver = !found.isEmpty() && timeLimitReached.getAsBoolean();
      if (!isOver && front.mayImprove(bounds.staticUsd(candidate), bounds.staticS(candidate))) {
        Evaluation evaluation = evaluator.evaluateByFirst(candidate.plan(true), first);
        found.put(candidate, evaluation);
        front.add(evaluation);
      }
    }
    int second = evaluator.samplesOf(SECOND_TRIALS, MOST_SAMPLES);
    Map<RungCandidate, Evaluation> better = new LinkedHashMap<>();
    for (RungCandidate candidate : kept(found, FIRST_KEPT)) {
      better.put(candidate, evaluator.evaluateByFirst(candidate.plan(true), second));
    }
    Map<RungCandidate, Evaluation> best = new LinkedHashMap<>();
    for (RungCandidate candidate : kept(better, SECOND_KEPT)) {
      Plan plan = candidate.plan(true);
      best.put(candidate, evaluator.evaluateByScreening(plan));
    }
    return best;
  }

  /** Returns the best plans by cost and by time, with and without a margin of the limits. */
  private Set<RungCandidate> kept(Map<RungCandidate, Evaluation> found, int each) {
    Set<RungCandidate> kept = new LinkedHashSet<>();
    for (double margin : new double[] {0, MARGIN}) {
      for (ToDoubleFunction<Evaluation> figure :
          List.<ToDoubleFunction<Evaluation>>of(Evaluation::costUsd, Evaluation::completionS)) {
        found.entrySet().stream()
            .sorted(
                Comparator.<Map.Entry<RungCandidate, Evaluation>>comparingDouble(
                        one -> Math.max(1, overrun.applyAsDouble(one.getValue()) / (1 + margin)))
                    .thenComparingDouble(one -> figure.applyAsDouble(one.getValue())))
            .limit(each)
            .forEach(one -> kept.add(one.getKey()));
      }
    }
    return kept;
  }

  /** The best costs and times of plans that meet the limits. */
  private final class Front {
    private final List<Double> costsUsd = new ArrayList<>();
    private final List<Double> timesS = new ArrayList<>();

    void add(Evaluation evaluation) {
      if (overrun.applyAsDouble(evaluation) <= 1) {
        insert(costsUsd, evaluation.costUsd());
        insert(timesS, evaluation.completionS());
      }
    }

    private void insert(List<Double> best, double value) {
      int place = Collections.binarySearch(best, value);
      best.add(place < 0 ? -place - 1 : place, value);
      if (best.size() > FIRST_KEPT) {
        best.remove(FIRST_KEPT);
      }
    }

    /** Whether a plan with these bounds may be among the best. */
    boolean mayImprove(double usd, double seconds) {
      return costsUsd.size() < FIRST_KEPT
          || usd <= costsUsd.get(FIRST_KEPT - 1)
          || seconds <= timesS.get(FIRST_KEPT - 1);
    }
  }
}
