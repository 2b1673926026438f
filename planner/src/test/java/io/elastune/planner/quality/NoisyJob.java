package io.elastune.planner.quality;

import io.elastune.core.plan.Problem;
import io.elastune.planner.PlanResult;
import io.elastune.planner.PlannerOptions;
import io.elastune.planner.PlannerOptions.Kind;
import io.elastune.simulator.Simulator;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;

/**
 * Whether the plan of one random job that varies keeps its promise in executions not seen before.
 *
 * @param slack its deadline, as a multiple of the mean time of the fastest plan
 * @param predicted the fraction of executions on time, as shown
 * @param realised the same of {@link #EXECUTIONS} with other draws
 * @param premium how much more the plan costs than the cheapest found by enumeration; infinite
 *     where the planner finds none and enumeration does; empty for jobs too large for that
 */
record NoisyJob(
    long seed, double slack, double predicted, double realised, OptionalDouble premium) {
  /** Of each plan, by sampling. */
  static final int EXECUTIONS = 4_000;

  /** Added to the seed of a job for executions that the planner has not seen. */
  private static final long FRESH = 1_000_003;

  /** A job of ordinary size; empty where no plan is found, as may be at small slacks. */
  static Optional<NoisyJob> ordinary(long seed) {
    return of(seed, JobMaker.halving(seed, true), false);
  }

  /** A job of which every plan can be tried; empty where there is none. */
  static Optional<NoisyJob> small(long seed) {
    return of(seed, JobMaker.small(seed, true), true);
  }

  private static Optional<NoisyJob> of(long seed, Problem free, boolean enumerate) {
    double slack = 1.05 + 3.95 * new SplittableRandom(~seed).nextDouble();
    double deadlineS = slack * Answers.fastestS(free);
    Problem problem = JobMaker.due(free, deadlineS);
    Optional<PlanResult.Found> found = Answers.found(problem, Kind.BEST);
    Optional<Enumeration.Tried> cheapest =
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
    Problem fresh = Answers.withSeed(problem, problem.seed() + FRESH);
    return Answers.onTime(new Simulator(fresh, EXECUTIONS).sample(found.plan()), deadlineS);
  }

  /** Whether the planner finds no plan, and enumeration does. */
  boolean isOverlooked() {
    return Double.isInfinite(premium.orElse(0));
  }

  /** By how much the prediction was wrong. */
  double error() {
    return Math.abs(predicted - realised);
  }
}
