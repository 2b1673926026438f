package io.elastune.planner.quality;

import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.planner.Baseline;
import io.elastune.planner.PlanResult;
import io.elastune.planner.Planner;
import io.elastune.planner.PlannerOptions;
import io.elastune.planner.PlannerOptions.Kind;
import io.elastune.simulator.Samples;
import io.elastune.simulator.Simulator;
import java.util.Optional;

/** Questions to the planner, and to the simulator as the judge of its answers. */
final class Answers {
  /** Enough to prove every optimum of the random jobs. */
  private static final long THOROUGH = 100_000_000;

  private Answers() {}

  /** As the command line asks. */
  static Optional<PlanResult.Found> found(Problem problem, Kind kind) {
    return found(new Planner(problem, PlannerOptions.DEFAULT.with(kind)).plan());
  }

  /** With all the effort that a proof needs. */
  static Optional<PlanResult.Found> proven(Problem problem) {
    PlannerOptions options =
        new PlannerOptions(Kind.EXACT, PlannerOptions.DEFAULT.samples(), THOROUGH);
    return found(new Planner(problem, options).plan());
  }

  private static Optional<PlanResult.Found> found(PlanResult result) {
    return result.match(Optional::of, infeasible -> Optional.empty(), none -> Optional.empty());
  }

  /** Mean seconds of the fastest plan known. */
  static double fastestS(Problem problem) {
    PlanResult.Found found = found(problem, Kind.BEST).orElseThrow();
    return baseline(found, "fastest").completionS();
  }

  static Baseline baseline(PlanResult.Found found, String name) {
    return found.baselines().stream().filter(b -> b.name().equals(name)).findFirst().orElseThrow();
  }

  /** What the simulator says that a plan costs when nothing varies. */
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

  /** The fraction of samples that a deadline of {@code seconds} is kept in. */
  static double onTime(Samples samples, double seconds) {
    double[] completions = samples.completionS();
    int kept = 0;
    for (double completion : completions) {
      kept += completion <= seconds ? 1 : 0;
    }
    return (double) kept / completions.length;
  }
}
