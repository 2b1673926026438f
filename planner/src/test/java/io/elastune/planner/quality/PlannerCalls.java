package io.elastune.planner.quality;

import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.planner.Planner;
import io.elastune.planner.api.Baseline;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.api.PlannerOptions.Kind;
import io.elastune.simulator.Simulator;
import io.elastune.simulator.sample.JointSamples;
import java.util.Optional;

/** Calls the planner, and the simulator to check its results. */
final class PlannerCalls {
  /** Steps of the exact search that suffice to prove every optimum of the random jobs. */
  private static final long THOROUGH = 100_000_000;

  private PlannerCalls() {}

  /** Plans with the options of the command line. */
  static Optional<PlanResult.Found> found(Problem problem, Kind kind) {
    return found(new Planner(problem, PlannerOptions.DEFAULT.withKind(kind)).plan());
  }

  /** Plans with as much effort as a proof needs. */
  static Optional<PlanResult.Found> proven(Problem problem) {
    PlannerOptions options =
        new PlannerOptions(Kind.EXACT, PlannerOptions.DEFAULT.samples(), THOROUGH);
    return found(new Planner(problem, options).plan());
  }

  private static Optional<PlanResult.Found> found(PlanResult result) {
    return result.match(Optional::of, infeasible -> Optional.empty(), none -> Optional.empty());
  }

  /** Returns the mean completion time of the fastest known plan, in seconds. */
  static double fastestS(Problem problem) {
    PlanResult.Found found = found(problem, Kind.BEST).orElseThrow();
    return baseline(found, "fastest").completionS();
  }

  static Baseline baseline(PlanResult.Found found, String name) {
    return found.baselines().stream().filter(b -> b.name().equals(name)).findFirst().orElseThrow();
  }

  /** Returns the cost of a plan without spread in USD, by the simulator. */
  static double costUsd(Problem problem, Plan plan) {
    return new Simulator(problem, 1).sample(plan).costUsd()[0];
  }

  static Problem withSeed(Problem problem, long seed) {
    return new Problem(
        problem.workload(),
        problem.offers(),
        problem.profiles(),
        problem.gpusPerTrial(),
        problem.limits(),
        problem.running(),
        seed);
  }

  /** Returns the fraction of samples that meet a deadline of {@code seconds}. */
  static double onTime(JointSamples jointSamples, double seconds) {
    double[] completions = jointSamples.completionS();
    int kept = 0;
    for (double completion : completions) {
      kept += completion <= seconds ? 1 : 0;
    }
    return (double) kept / completions.length;
  }
}
