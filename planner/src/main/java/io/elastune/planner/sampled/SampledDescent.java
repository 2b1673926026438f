package io.elastune.planner.sampled;

import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.planner.evaluate.PlanEvaluator;
import io.elastune.planner.evaluate.PlanEvaluator.Evaluation;
import io.elastune.planner.evaluate.PlanSelector;
import io.elastune.planner.evaluate.PlannerInputs;
import io.elastune.planner.model.ParetoFront;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Improves plans step by step, by the neighbor with the greatest marginal benefit (docs/planner.md,
 * "Sampled plans"). All plans have the same draws, and each is evaluated once.
 */
public final class SampledDescent<C> {
  private static final int MOST_STEPS = 60;

  /** Trials to simulate for a first evaluation of a neighbor. */
  private static final int ROUGH_TRIALS = 1_024;

  /**
   * Neighbors of all parts that are evaluated by a screening in each step, at least one of each.
   */
  private static final int SELECTED = 4;

  /** By which part a first evaluation may misjudge the ratio of two plans. */
  private static final double ROUGH_ERROR = 0.005;

  /** Plans that complete the frontier. */
  private static final int FRONTIER = 12;

  private final PlannerInputs inputs;
  private final PlanKind<C> kind;
  private final PlanEvaluator evaluator;
  private final PlanSelector selector;
  private final Limits limits;
  private final Map<Plan, Evaluation> evaluated = new LinkedHashMap<>();
  // Plans that were evaluated by a few samples.
  private final Map<Plan, Evaluation> rough = new LinkedHashMap<>();

  public SampledDescent(
      PlannerInputs inputs, PlanKind<C> kind, PlanEvaluator evaluator, PlanSelector selector) {
    this.inputs = inputs;
    this.kind = kind;
    this.evaluator = evaluator;
    this.selector = selector;
    this.limits = inputs.problem().limits();
  }

  /** Returns the evaluations of all plans so far. */
  public Collection<Evaluation> evaluated() {
    return evaluated.values();
  }

  /** Evaluates all candidates. */
  void evaluateAll(List<C> candidates) {
    int done = 0;
    for (C candidate : candidates) {
      inputs.progress().at("plans", done++, candidates.size());
      if (!inputs.isOver()) {
        evaluate(candidate);
      }
    }
  }

  public Evaluation evaluate(C candidate) {
    return screened(kind.plan(candidate, false));
  }

  private Evaluation screened(Plan plan) {
    return evaluated.computeIfAbsent(plan, evaluator::evaluateByScreening);
  }

  /**
   * Improves a plan, one part after the other, until no neighbor is better: first by a few samples,
   * then by a screening.
   */
  public void descend(C start) {
    C now = descend(start, (from, part) -> greatest(neighbors(from, part)));
    descend(now, this::best);
  }

  private C descend(C start, Improvement<C> improvement) {
    C now = start;
    int parts = kind.parts();
    int steps = MOST_STEPS * parts;
    int asGood = 0;
    for (int step = 0; step < steps && asGood < parts && !inputs.isOver(); step++) {
      inputs.progress().at("steps", step, steps);
      Optional<C> next = improvement.of(now, step % parts);
      asGood = next.isEmpty() ? asGood + 1 : 0;
      now = next.orElse(now);
    }
    return now;
  }

  /** Chooses a better neighbor. */
  private interface Improvement<C> {
    /** Returns a neighbor that is better in a part, if there is one. */
    Optional<C> of(C from, int part);
  }

  /** Returns the best neighbor by a few samples. */
  private Optional<C> greatest(List<Neighbor<C>> neighbors) {
    return neighbors.stream()
        .filter(one -> one.gain() > 0)
        .max(Comparator.comparingDouble(Neighbor::gain))
        .map(Neighbor::candidate);
  }

  /** Evaluates all neighbors by a few samples, with the same draws for all. */
  private List<Neighbor<C>> neighbors(C from, int part) {
    int few = evaluator.samplesOf(ROUGH_TRIALS);
    Evaluation roughly = evaluator.evaluateByFirst(kind.plan(from, false), few);
    List<Neighbor<C>> neighbors = new ArrayList<>();
    for (C candidate : kind.neighbors(from, part)) {
      if (inputs.isOver()) {
        return List.of();
      }
      Plan plan = kind.plan(candidate, false);
      Evaluation one = rough.computeIfAbsent(plan, each -> evaluator.evaluateByFirst(each, few));
      neighbors.add(new Neighbor<>(candidate, gain(roughly, one), value(one) / value(roughly)));
    }
    return neighbors;
  }

  /** Returns the best neighbor by a screening of those that may be it by a few samples. */
  private Optional<C> best(C from, int part) {
    List<Neighbor<C>> neighbors = neighbors(from, part);
    int selected = Math.max(1, SELECTED / kind.parts());
    Stream<Neighbor<C>> greatest =
        neighbors.stream()
            .sorted(Comparator.<Neighbor<C>>comparingDouble(Neighbor::gain).reversed())
            .limit(selected);
    // A neighbor that seems to be no improvement by a few samples may be one by more.
    Stream<Neighbor<C>> nearest =
        neighbors.stream()
            .filter(one -> one.ratio() < 1 + ROUGH_ERROR)
            .sorted(Comparator.comparingDouble(Neighbor::ratio))
            .limit(selected);
    Evaluation before = evaluate(from);
    Optional<C> best = Optional.empty();
    double bestGain = 0;
    for (Neighbor<C> neighbor : Stream.concat(greatest, nearest).distinct().toList()) {
      double gain = gain(before, evaluate(neighbor.candidate()));
      if (gain > bestGain) {
        bestGain = gain;
        best = Optional.of(neighbor.candidate());
      }
    }
    return best;
  }

  /**
   * A neighbor, by a few samples.
   *
   * @param gain the marginal benefit of the change
   * @param ratio of its cost, or time, to that of the present plan; 0, infinite or not a number if
   *     the mean of one of them exceeds the limits
   */
  private record Neighbor<C>(C candidate, double gain, double ratio) {}

  /**
   * Returns what is minimized. A plan exceeds the limits by a few samples only if their mean does:
   * their quantile is the worst of them, often the only one with a fault.
   */
  private double value(Evaluation evaluation) {
    boolean mayMeetLimits =
        evaluation.completionS() <= limits.deadlineOrInfinityS()
            && evaluation.costUsd() <= limits.budgetOrInfinityUsd();
    double value = selector.minimizesCost() ? evaluation.costUsd() : evaluation.completionS();
    return mayMeetLimits ? value : Double.POSITIVE_INFINITY;
  }

  /** Evaluates plans by a screening that seem to be on the frontier by a few samples. */
  void completeFrontier() {
    ParetoFront<Evaluation> front =
        new ParetoFront<>(Comparator.comparingDouble(Evaluation::costUsd));
    front.addAll(evaluated.values());
    List<Evaluation> seeming =
        rough.values().stream()
            .filter(one -> !evaluated.containsKey(one.plan()))
            .filter(one -> front.accepts(one.completionS(), one.costUsd()))
            .sorted(Comparator.comparingDouble(Evaluation::completionS))
            .toList();
    int count = Math.min(FRONTIER, seeming.size());
    for (int i = 0; i < count && !inputs.isOver(); i++) {
      inputs.progress().at("other plans of the frontier", i, count);
      screened(seeming.get(i * seeming.size() / count).plan());
    }
  }

  /** The marginal benefit of a change; not above 0 if it is no improvement. */
  private double gain(Evaluation before, Evaluation after) {
    double overrunBefore = selector.overrun(before);
    double overrunAfter = selector.overrun(after);
    if (overrunBefore > 1 || overrunAfter > 1) {
      return overrunBefore > 1 ? overrunBefore - overrunAfter : 0;
    }
    double saved =
        selector.minimizesCost()
            ? before.costUsd() - after.costUsd()
            : before.completionS() - after.completionS();
    double lost =
        selector.minimizesCost()
            ? after.completionS() - before.completionS()
            : after.costUsd() - before.costUsd();
    if (saved <= 0) {
      return 0;
    }
    return lost <= 0 ? Double.MAX_VALUE / 2 + saved : saved / lost;
  }
}
