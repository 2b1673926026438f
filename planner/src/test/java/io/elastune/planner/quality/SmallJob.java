package io.elastune.planner.quality;

import io.elastune.core.plan.Problem;
import io.elastune.planner.Planner;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.api.PlannerOptions.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

/** Compares the exact planner with enumeration on one small job without spread. */
final class SmallJob {
  /** Tolerance for rounding: plans that tie may add up their costs in different orders. */
  private static final double SAME = 1e-9;

  private final long seed;
  private final Problem problem;
  private final List<Enumeration.EnumeratedPlan> enumeratedPlan;
  private final List<String> mismatches = new ArrayList<>();

  private SmallJob(long seed) {
    this.seed = seed;
    this.problem = QualityJobs.small(seed, false);
    this.enumeratedPlan = Enumeration.of(problem);
  }

  /** Returns one sentence for each difference between the two; an empty list is expected. */
  static List<String> mismatches(long seed) {
    SmallJob job = new SmallJob(seed);
    SplittableRandom random = new SplittableRandom(~seed);
    double fastestS = job.least(Enumeration.EnumeratedPlan::completionS);
    double cheapestUsd = job.least(Enumeration.EnumeratedPlan::costUsd);
    job.compareCheapest(fastestS);
    job.compareCheapest(fastestS * (1.05 + 3.95 * random.nextDouble()));
    job.compareCheapest(fastestS * (1.05 + 0.5 * random.nextDouble()));
    job.compareFastest(cheapestUsd * (1 + random.nextDouble()));
    job.compareNearest(fastestS * 0.99, OptionalDouble.empty(), fastestS);
    job.compareNearest(Double.NaN, OptionalDouble.of(cheapestUsd * 0.99), cheapestUsd);
    return job.mismatches;
  }

  private double least(ToDoubleFunction<Enumeration.EnumeratedPlan> quantity) {
    return enumeratedPlan.stream().mapToDouble(quantity).min().orElseThrow();
  }

  private void compareCheapest(double deadlineS) {
    Enumeration.EnumeratedPlan best =
        enumeratedPlan.stream()
            .filter(plan -> plan.completionS() <= deadlineS)
            .min(Comparator.comparingDouble(Enumeration.EnumeratedPlan::costUsd))
            .orElseThrow();
    Problem due = QualityJobs.withDeadline(problem, deadlineS);
    Optional<PlanResult.Found> found = PlannerCalls.found(due, Kind.EXACT);
    compare("cost by " + deadlineS + " s", best.costUsd(), found.map(f -> usd(f)));
    if (found.isPresent()) {
      compare(
          "proven optimum by " + deadlineS + " s",
          best.costUsd(),
          found.map(PlanResult.Found::optimum).filter(o -> o.proven()).map(o -> o.costUsd()));
    }
  }

  private void compareFastest(double budgetUsd) {
    double bestS =
        enumeratedPlan.stream()
            .filter(plan -> plan.costUsd() <= budgetUsd)
            .mapToDouble(Enumeration.EnumeratedPlan::completionS)
            .min()
            .orElseThrow();
    Problem limited =
        QualityJobs.withLimits(problem, OptionalDouble.empty(), OptionalDouble.of(budgetUsd));
    compare(
        "completion for " + budgetUsd + " USD",
        bestS,
        PlannerCalls.found(limited, Kind.EXACT).map(f -> f.estimate().completionS().mean()));
  }

  /** Compares the nearest limits to infeasible ones: those of the fastest or cheapest plan. */
  private void compareNearest(double deadlineS, OptionalDouble budgetUsd, double nearest) {
    OptionalDouble deadline =
        Double.isNaN(deadlineS) ? OptionalDouble.empty() : OptionalDouble.of(deadlineS);
    Problem hard = QualityJobs.withLimits(problem, deadline, budgetUsd);
    PlanResult result = new Planner(hard, PlannerOptions.DEFAULT.withKind(Kind.EXACT)).plan();
    Optional<Double> answer =
        result.match(
            found -> Optional.empty(),
            infeasible ->
                (budgetUsd.isPresent()
                        ? infeasible.nearest().budgetUsd()
                        : infeasible.nearest().deadlineS())
                    .stream().boxed().findFirst(),
            impossible -> Optional.empty());
    compare("nearest limit", nearest, answer);
  }

  private static double usd(PlanResult.Found found) {
    return found.estimate().costUsd().mean();
  }

  private void compare(String what, double expected, Optional<Double> answer) {
    if (answer.isEmpty() || Math.abs(answer.get() - expected) > SAME * Math.max(1, expected)) {
      mismatches.add("seed " + seed + ", " + what + ": " + expected + " by enumeration, " + answer);
    }
  }
}
