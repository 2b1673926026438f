package io.elastune.planner.sampled;

import io.elastune.planner.evaluate.PlanEvaluator;
import io.elastune.planner.evaluate.PlanEvaluator.Evaluation;
import io.elastune.planner.evaluate.PlanSelector;
import io.elastune.planner.evaluate.PlannerInputs;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * Finds the best static clusters in rounds (docs/planner.md, "Sampled plans"): all plans that their
 * bounds do not exclude get one sample or a few, the best of these get more, and the best of those
 * the samples of a screening. All have the same draws.
 */
public final class SampledRounds<C> {
  /** Trials to simulate for a plan in the first round. */
  private static final int FIRST_TRIALS = 256;

  /** The same in the second round. */
  private static final int SECOND_TRIALS = 2_048;

  /** Plans that are best in some respect, and continue in the second round. */
  private static final int FIRST_KEPT = 12;

  /** The same after the second round. */
  private static final int SECOND_KEPT = 4;

  /** By which part plans may exceed a limit by few samples and meet it by more. */
  private static final double MARGIN = 0.1;

  private final PlannerInputs inputs;
  private final PlanKind<C> kind;
  private final PlanKind.Bounds<C> bounds;
  private final PlanEvaluator evaluator;
  private final List<Comparator<Evaluation>> respects = new ArrayList<>();

  public SampledRounds(
      PlannerInputs inputs, PlanKind<C> kind, PlanEvaluator evaluator, PlanSelector selector) {
    this.inputs = inputs;
    this.kind = kind;
    this.bounds = kind.bounds();
    this.evaluator = evaluator;
    addRespects(one -> Math.max(1, selector.overrun(one)));
    addRespects(one -> Math.max(1 + MARGIN, selector.overrun(one)));
    // The quantile of a few samples is their worst one: a single fault of a plan excludes it.
    addRespects(one -> Math.max(1, selector.overrun(atMeans(one))));
  }

  private void addRespects(ToDoubleFunction<Evaluation> over) {
    Comparator<Evaluation> fewestOver = Comparator.comparingDouble(over);
    respects.add(fewestOver.thenComparingDouble(Evaluation::costUsd));
    respects.add(fewestOver.thenComparingDouble(Evaluation::completionS));
  }

  /** Returns an evaluation in which the means must meet the limits. */
  private static Evaluation atMeans(Evaluation one) {
    double seconds = one.completionS();
    double usd = one.costUsd();
    return new Evaluation(one.plan(), seconds, usd, seconds, usd, 1, 1, one.samples());
  }

  /** Returns the static clusters that are cheapest or fastest, by the samples of a screening. */
  public Map<C, Evaluation> best(List<C> statics) {
    List<C> cheapestFirst = new ArrayList<>(statics);
    cheapestFirst.sort(Comparator.comparingDouble(bounds.staticUsd()));
    int first = evaluator.samplesOf(FIRST_TRIALS);
    Map<C, Evaluation> found = new LinkedHashMap<>();
    List<Best> bests = respects.stream().map(Best::new).toList();
    int done = 0;
    for (C candidate : cheapestFirst) {
      inputs.progress().at("static clusters", done++, cheapestFirst.size());
      Evaluation bound = bound(candidate);
      // A search whose time limit is reached leaves at least one plan.
      boolean isOver = !found.isEmpty() && inputs.isOver();
      if (!isOver && bests.stream().anyMatch(best -> best.mayImprove(bound))) {
        Evaluation evaluation = evaluator.evaluateByFirst(kind.plan(candidate, true), first);
        found.put(candidate, evaluation);
        bests.forEach(best -> best.add(evaluation));
      }
    }
    int second = evaluator.samplesOf(SECOND_TRIALS);
    Map<C, Evaluation> better = new LinkedHashMap<>();
    Set<C> few = kept(found, FIRST_KEPT);
    for (C candidate : few) {
      inputs.progress().at("best static clusters", better.size(), few.size());
      better.put(candidate, evaluator.evaluateByFirst(kind.plan(candidate, true), second));
    }
    Map<C, Evaluation> best = new LinkedHashMap<>();
    Set<C> fewest = kept(better, SECOND_KEPT);
    for (C candidate : fewest) {
      inputs.progress().at("screened static clusters", best.size(), fewest.size());
      best.put(candidate, evaluator.evaluateByScreening(kind.plan(candidate, true)));
    }
    return best;
  }

  /** Returns an evaluation that is at least as good in every respect as that of a plan. */
  private Evaluation bound(C candidate) {
    double seconds = bounds.staticS().applyAsDouble(candidate);
    double usd = bounds.staticUsd().applyAsDouble(candidate);
    return new Evaluation(kind.plan(candidate, true), seconds, usd, seconds, usd, 1, 1, 0);
  }

  /** Returns the best plans in each respect. */
  private Set<C> kept(Map<C, Evaluation> found, int each) {
    Set<C> kept = new LinkedHashSet<>();
    for (Comparator<Evaluation> respect : respects) {
      found.entrySet().stream()
          .sorted(Map.Entry.comparingByValue(respect))
          .limit(each)
          .forEach(one -> kept.add(one.getKey()));
    }
    return kept;
  }

  /** The plans that are best in one respect so far. */
  private static final class Best {
    private final Comparator<Evaluation> respect;
    private final List<Evaluation> plans = new ArrayList<>();

    Best(Comparator<Evaluation> respect) {
      this.respect = respect;
    }

    void add(Evaluation plan) {
      int place = Collections.binarySearch(plans, plan, respect);
      plans.add(place < 0 ? -place - 1 : place, plan);
      if (plans.size() > FIRST_KEPT) {
        plans.remove(FIRST_KEPT);
      }
    }

    /** Whether a plan with this bound may be among the best. */
    boolean mayImprove(Evaluation bound) {
      return plans.size() < FIRST_KEPT || respect.compare(bound, plans.get(FIRST_KEPT - 1)) < 0;
    }
  }
}
