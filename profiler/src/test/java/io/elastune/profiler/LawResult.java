package io.elastune.profiler;

import io.elastune.core.billing.HourlyCosts;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.MeasuredNumber;
import io.elastune.core.profile.Profile;
import io.elastune.core.search.TrialGroups;
import io.elastune.planner.Planner;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.simulator.Simulator;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * How well one synthetic law was measured.
 *
 * @param covered whether the interval of each number contains the truth
 * @param error relative error of the predicted completion time of the plan
 * @param earlierError the same with {@link EarlierFit}
 * @param costShare cost of measuring as a fraction of the cost of the job
 */
record LawResult(
    Map<String, Boolean> covered, double error, double earlierError, double costShare) {
  private static final int SAMPLES = 400;
  private static final PlannerOptions PLANNER =
      new PlannerOptions(PlannerOptions.Kind.GREEDY, 100, 20_000);

  static LawResult of(long seed) {
    SyntheticLaw law = SyntheticLaw.of(seed);
    SyntheticRun run = new SyntheticRun(law);
    Profile measured =
        new ProfileFit(run.attempts())
            .profile(
                "law", "V100", "epoch", Instant.EPOCH, "law", Optional.empty(), List.of(), false)
            .profile();
    Map<String, Boolean> covered = new TreeMap<>();
    for (MeasuredNumber number : measured.measured().numbers()) {
      truth(law.truth(), number.name())
          .ifPresent(
              truth -> covered.put(number.name(), number.low() <= truth && truth <= number.high()));
    }
    Plan plan = plan(law, measured);
    Estimate actual = simulated(law, law.truth(), plan);
    double actualS = actual.completionS().mean();
    return new LawResult(
        covered,
        Math.abs(simulated(law, measured, plan).completionS().mean() / actualS - 1),
        Math.abs(
            simulated(law, EarlierFit.of(run.attempts()), plan).completionS().mean() / actualS - 1),
        run.usd() / actual.costUsd().mean());
  }

  private static Optional<Double> truth(Profile truth, String name) {
    if (name.startsWith("training.")) {
      return Optional.of(
          truth.secondsByGpus().get(Integer.parseInt(name.substring("training.".length()))));
    }
    return switch (name) {
      case "startup_s.mean" -> Optional.of(truth.startupS().mean());
      case "trial_cv" -> Optional.of(truth.trialCv());
      case "unit_cv" -> Optional.of(truth.unitCv());
      case "instance_cv" -> Optional.of(truth.instanceCv());
      default -> Optional.empty();
    };
  }

  /** The plan with the measured profile; its deadline is that of a static cluster. */
  private static Plan plan(SyntheticLaw law, Profile measured) {
    Workload workload = TrialGroups.of(law.job().search());
    Map<String, Allocation> all = new TreeMap<>();
    for (TrialGroup group : workload.groups()) {
      all.put(group.name(), new Allocation(law.offer().name(), law.instances(), 1, 1));
    }
    Plan cluster = new Plan(true, all);
    double deadlineS = simulated(law, measured, cluster).completionS().p95();
    return new Planner(problem(law, measured, OptionalDouble.of(deadlineS)), PLANNER)
        .plan()
        .match(found -> found.plan(), infeasible -> cluster, impossible -> cluster);
  }

  private static Estimate simulated(SyntheticLaw law, Profile profile, Plan plan) {
    return new Simulator(problem(law, profile, OptionalDouble.empty()), SAMPLES, 1).simulate(plan);
  }

  private static Problem problem(SyntheticLaw law, Profile profile, OptionalDouble deadlineS) {
    return new Problem(
        TrialGroups.of(law.job().search()),
        List.of(law.offer()),
        Map.of("V100", profile),
        law.job().trial().gpus(),
        new Limits(
            deadlineS, OptionalDouble.empty(), 0.95, law.instances(), Double.POSITIVE_INFINITY),
        HourlyCosts.NONE,
        law.seed());
  }
}
