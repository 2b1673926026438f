package io.elastune.planner;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.simulator.Samples;
import io.elastune.simulator.Simulator;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Predicts plans by sampling, with common random numbers, and remembers what it predicted. */
final class Judge {
  /** A fixed share of the samples shown: enough to tell the hopeless from the promising. */
  private static final int SCREENING = 5;

  private final Limits limits;
  private final Simulator quick;
  private final Simulator full;
  private final Map<Plan, Verdict> quickVerdicts = new HashMap<>();
  private final Map<Plan, Verdict> fullVerdicts = new HashMap<>();

  /**
   * What sampling says of a plan.
   *
   * @param completionS mean
   * @param costUsd mean
   * @param safeS the least deadline that is kept with the confidence asked for
   * @param safeUsd the least budget that is
   * @param onTime the fraction of samples that keep the deadline
   */
  record Verdict(
      Plan plan, double completionS, double costUsd, double safeS, double safeUsd, double onTime)
      implements Timed {}

  Judge(Problem problem, int samples) {
    this.limits = problem.limits();
    this.full = new Simulator(problem, samples);
    this.quick = new Simulator(problem, Math.max(1, samples / SCREENING));
  }

  /** From few samples. */
  Verdict quick(Plan plan) {
    return quickVerdicts.computeIfAbsent(plan, key -> verdict(key, quick));
  }

  /** From as many samples as are shown. */
  Verdict full(Plan plan) {
    return fullVerdicts.computeIfAbsent(plan, key -> verdict(key, full));
  }

  Estimate estimate(Plan plan) {
    return full.simulate(plan);
  }

  /** Whether the deadline is kept with the confidence asked for. */
  boolean onTime(Verdict verdict) {
    return verdict.safeS() <= limits.deadlineS().orElse(Double.POSITIVE_INFINITY);
  }

  /** Whether the budget is. */
  boolean inBudget(Verdict verdict) {
    return verdict.safeUsd() <= limits.budgetUsd().orElse(Double.POSITIVE_INFINITY);
  }

  /** Whether both are. */
  boolean keepsAll(Verdict verdict) {
    return onTime(verdict) && inBudget(verdict);
  }

  private Verdict verdict(Plan plan, Simulator simulator) {
    Samples samples = simulator.sample(plan);
    return new Verdict(
        plan,
        mean(samples.completionS()),
        mean(samples.costUsd()),
        safe(samples.completionS()),
        safe(samples.costUsd()),
        onTime(samples.completionS()));
  }

  private double onTime(double[] completionS) {
    double deadlineS = limits.deadlineS().orElse(Double.POSITIVE_INFINITY);
    long kept = Arrays.stream(completionS).filter(seconds -> seconds <= deadlineS).count();
    return (double) kept / completionS.length;
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).sum() / values.length;
  }

  /** The smallest sample that a fraction {@code confidence} of all does not exceed. */
  private double safe(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int needed = (int) Math.ceil(limits.confidence() * sorted.length - Timed.SAME);
    return sorted[Math.max(1, needed) - 1];
  }
}
