package io.elastune.planner.quality;

import io.elastune.core.plan.Problem;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.api.PlannerOptions.Kind;
import io.elastune.simulator.Simulator;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;

/**
 * Compares the prediction for the plan of one random job with spread with other executions.
 *
 * @param slack the deadline, as a multiple of the mean completion time of the fastest plan
 * @param predicted the predicted fraction of executions on time
 * @param actual the fraction of {@link #EXECUTIONS} with other random draws
 * @param premium extra cost of the plan over the cheapest by enumeration, as a fraction; infinite
 *     if only enumeration finds a plan; empty for jobs too large to enumerate
 */
record NoisyJob(long seed, double slack, double predicted, double actual, OptionalDouble premium) {
  /** Sampled executions of each plan. */
  static final int EXECUTIONS = 4_000;

  /** Added to the seed of a job for executions that the planner did not sample. */
  private static final long FRESH = 1_000_003;

  /** Returns a job of ordinary size; empty if no plan is found, which happens at small slacks. */
  static Optional<NoisyJob> ordinary(long seed) {
    return of(seed, QualityJobs.halving(seed, true), false);
  }

  /** Returns a job that is small enough to enumerate; empty if it has no plan. */
  static Optional<NoisyJob> small(long seed) {
    return of(seed, QualityJobs.small(seed, true), true);
  }

  private static Optional<NoisyJob> of(long seed, Problem free, boolean enumerate) {
    double slack = 1.05 + 3.95 * new SplittableRandom(~seed).nextDouble();
    double deadlineS = slack * PlannerCalls.fastestS(free);
    Problem problem = QualityJobs.withDeadline(free, deadlineS);
    Optional<PlanResult.Found> found = PlannerCalls.found(problem, Kind.BEST);
    Optional<Enumeration.EnumeratedPlan> cheapest =
        enumerate
            ? Enumeration.cheapest(problem, PlannerOptions.DEFAULT.samples())
            : Optional.empty();
    if (found.isEmpty() && cheapest.isPresent()) {
      return Optional.of(
          new NoisyJob(seed, slack, 0, 0, OptionalDouble.of(Double.POSITIVE_INFINITY)));
    }
    return found.map(
        plan ->
            new NoisyJob(
                seed,
                slack,
                plan.estimate().onTime(),
                realised(problem, plan, deadlineS),
                cheapest
                    .map(best -> OptionalDouble.of(usd(plan) / best.costUsd() - 1))
                    .orElse(OptionalDouble.empty())));
  }

  private static double usd(PlanResult.Found found) {
    return found.estimate().costUsd().mean();
  }

  private static double realised(Problem problem, PlanResult.Found found, double deadlineS) {
    Problem fresh = PlannerCalls.withSeed(problem, problem.seed() + FRESH);
    return PlannerCalls.onTime(new Simulator(fresh, EXECUTIONS).sample(found.plan()), deadlineS);
  }

  /** Whether enumeration finds a plan and the planner does not. */
  boolean isOverlooked() {
    return Double.isInfinite(premium.orElse(0));
  }

  /** Returns the error of the prediction. */
  double error() {
    return Math.abs(predicted - actual);
  }
}
