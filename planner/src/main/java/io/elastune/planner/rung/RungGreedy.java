package io.elastune.planner.rung;

import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.planner.api.PlanProgress;
import io.elastune.planner.evaluate.PlanEvaluator;
import io.elastune.planner.evaluate.PlanEvaluator.Evaluation;
import io.elastune.planner.model.ParetoFront;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Searches the plans of a search made of rungs step by step, on common random numbers
 * (docs/searches.md, "The planner"). Each candidate is evaluated once.
 */
public final class RungGreedy {
  private static final int MOST_STEPS = 60;

  /** Trials to simulate for a first evaluation of a neighbor. */
  private static final int ROUGH_TRIALS = 1_024;

  /** Neighbors that are evaluated by a screening in each step. */
  private static final int SELECTED = 4;

  /** By which part a first evaluation may misjudge the ratio of two plans. */
  private static final double ROUGH_ERROR = 0.005;

  /** Plans that complete the frontier. */
  private static final int FRONTIER = 12;

  private final RungChoices choices;
  private final PlanEvaluator evaluator;
  private final Limits limits;
  private final boolean minimizesCost;
  private final BooleanSupplier timeLimitReached;
  private final PlanProgress progress;
  private final Map<Plan, Evaluation> evaluated = new LinkedHashMap<>();
  // Plans that were evaluated by a few samples.
  private final Map<Plan, Evaluation> rough = new LinkedHashMap<>();

  public RungGreedy(
      RungChoices choices,
      PlanEvaluator evaluator,
      Limits limits,
      boolean minimizesCost,
      BooleanSupplier timeLimitReached,
      PlanProgress progress) {
    this.progress = progress;
    this.choices = choices;
    this.evaluator = evaluator;
    this.limits = limits;
    this.minimizesCost = minimizesCost;
    this.timeLimitReached = timeLimitReached;
  }

  /** Returns all plans evaluated so far. */
  public Map<Plan, Evaluation> evaluated() {
    return evaluated;
  }

  public Evaluation evaluate(Plan plan) {
    return evaluated.computeIfAbsent(plan, evaluator::evaluateByScreening);
  }

  /** Improves a plan until no neighbor is better: first by a few samples, then by a screening. */
  public void descend(RungCandidate start) {
    RungCandidate now = descend(start, from -> best(neighbors(from)));
    descend(now, this::best);
  }

  private RungCandidate descend(
      RungCandidate start, Function<RungCandidate, Optional<RungCandidate>> improve) {
    RungCandidate now = start;
    for (int step = 0; step < MOST_STEPS && !timeLimitReached.getAsBoolean(); step++) {
      progress.at("steps", step, MOST_STEPS);
      Optional<RungCandidate> next = improve.apply(now);
      if (next.isEmpty()) {
        break;
      }
      now = next.get();
    }
    return now;
  }

  /** Returns the best neighbor by a few samples. */
  private static Optional<RungCandidate> best(List<Neighbor> neighbors) {
    return neighbors.stream()
        .filter(one -> one.gain() > 0)
        .max(Comparator.comparingDouble(Neighbor::gain))
        .map(Neighbor::candidate);
  }

  /** Evaluates all neighbors by a few samples, with the same draws for all. */
  private List<Neighbor> neighbors(RungCandidate from) {
    int few = evaluator.samplesOf(ROUGH_TRIALS);
    Evaluation roughly = evaluator.evaluateByFirst(from.plan(false), few);
    List<Neighbor> neighbors = new ArrayList<>();
    for (RungCandidate candidate : choices.neighbors(from)) {
      if (timeLimitReached.getAsBoolean()) {
        return List.of();
      }
      Plan plan = candidate.plan(false);
      Evaluation one = rough.computeIfAbsent(plan, each -> evaluator.evaluateByFirst(each, few));
      neighbors.add(new Neighbor(candidate, gain(roughly, one), value(one) / value(roughly)));
    }
    return neighbors;
  }

  /** Returns the best neighbor by a screening of those that may be it by a few samples. */
  private Optional<RungCandidate> best(RungCandidate from) {
    List<Neighbor> neighbors = neighbors(from);
    Stream<Neighbor> greatest =
        neighbors.stream()
            .sorted(Comparator.comparingDouble(Neighbor::gain).reversed())
            .limit(SELECTED);
    // A neighbor that seems to be no improvement by a few samples may be one by more.
    Stream<Neighbor> nearest =
        neighbors.stream()
            .filter(one -> one.ratio() < 1 + ROUGH_ERROR)
            .sorted(Comparator.comparingDouble(Neighbor::ratio))
            .limit(SELECTED);
    Evaluation before = evaluate(from.plan(false));
    Optional<RungCandidate> best = Optional.empty();
    double bestGain = 0;
    for (Neighbor neighbor : Stream.concat(greatest, nearest).distinct().toList()) {
      double gain = gain(before, evaluate(neighbor.candidate().plan(false)));
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
  private record Neighbor(RungCandidate candidate, double gain, double ratio) {}

  /**
   * Returns what is minimized. A plan exceeds the limits by a few samples only if their mean does:
   * their quantile is the worst of them, often the only one with a fault.
   */
  private double value(Evaluation evaluation) {
    boolean mayMeetLimits =
        evaluation.completionS() <= limits.deadlineOrInfinityS()
            && evaluation.costUsd() <= limits.budgetOrInfinityUsd();
    double value = minimizesCost ? evaluation.costUsd() : evaluation.completionS();
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
    for (int i = 0; i < count && !timeLimitReached.getAsBoolean(); i++) {
      progress.at("other plans of the frontier", i, count);
      evaluate(seeming.get(i * seeming.size() / count).plan());
    }
  }

  /** The marginal benefit of a change; not above 0 if it is no improvement. */
  private double gain(Evaluation before, Evaluation after) {
    double overrunBefore = overrun(before);
    double overrunAfter = overrun(after);
    if (overrunBefore > 1 || overrunAfter > 1) {
      return overrunBefore > 1 ? overrunBefore - overrunAfter : 0;
    }
    double saved =
        minimizesCost
            ? before.costUsd() - after.costUsd()
            : before.completionS() - after.completionS();
    double lost =
        minimizesCost
            ? after.completionS() - before.completionS()
            : after.costUsd() - before.costUsd();
    if (saved <= 0) {
      return 0;
    }
    return lost <= 0 ? Double.MAX_VALUE / 2 + saved : saved / lost;
  }

  /** By which factor a plan exceeds the limits; at most 1 if it meets them. */
  public double overrun(Evaluation evaluation) {
    return Math.max(
        evaluation.safeS() / limits.deadlineOrInfinityS(),
        evaluation.safeUsd() / limits.budgetOrInfinityUsd());
  }
}
