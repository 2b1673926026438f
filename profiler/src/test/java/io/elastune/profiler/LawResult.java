package io.elastune.profiler;

import io.elastune.core.billing.HourlyCosts;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.MeasuredNumber;
import io.elastune.core.profile.Profile;
import io.elastune.core.search.TrialGroups;
import io.elastune.planner.Planner;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.model.SearchParameters;
import io.elastune.simulator.Simulator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * How well one synthetic law was measured.
 *
 * @param covered whether the interval of each number contains the truth
 * @param chosen the profile of the counts that {@link MeasurementChooser} chooses
 * @param every the profile of every count
 * @param earlier the profile of the same measurements with {@link EarlierFit}
 */
record LawResult(Map<String, Boolean> covered, Measured chosen, Measured every, Measured earlier) {
  private static final int SAMPLES = 400;
  private static final PlannerOptions PLANNER =
      new PlannerOptions(PlannerOptions.Kind.GREEDY, 100, 20_000);

  static LawResult of(long seed) {
    SyntheticLaw law = SyntheticLaw.of(seed);
    double deadlineS = simulated(law, law.truth(), cluster(law)).completionS().p95();
    SyntheticRun run = SyntheticRun.ofChosenCounts(law, plans(law, deadlineS));
    SyntheticRun every = SyntheticRun.ofEveryCount(law);
    Map<String, Boolean> covered = new TreeMap<>();
    for (MeasuredNumber number : run.profile().measured().numbers()) {
      truth(law.truth(), number.name())
          .ifPresent(
              truth -> covered.put(number.name(), number.low() <= truth && truth <= number.high()));
    }
    return new LawResult(
        covered,
        Measured.of(law, run.profile(), run.usd(), deadlineS),
        Measured.of(law, every.profile(), every.usd(), deadlineS),
        Measured.of(law, EarlierFit.of(every.attempts()), every.usd(), deadlineS));
  }

  /**
   * How well the completion time of the plan of one profile was predicted.
   *
   * @param error its relative error
   * @param costShare cost of measuring as a fraction of the cost of the job
   * @param excess cost of the plan with the true times, above that of the plan of the true profile
   */
  record Measured(double error, double costShare, double excess) {
    static Measured of(SyntheticLaw law, Profile profile, double usd, double deadlineS) {
      Plan plan = plan(law, profile, deadlineS);
      Estimate actual = simulated(law, law.truth(), plan);
      Estimate best = simulated(law, law.truth(), plan(law, law.truth(), deadlineS));
      return new Measured(
          Math.abs(
              simulated(law, profile, plan).completionS().mean() / actual.completionS().mean() - 1),
          usd / actual.costUsd().mean(),
          actual.costUsd().mean() / best.costUsd().mean() - 1);
    }
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

  /** All GPUs of the job, held to the end, with one GPU per trial. */
  private static Plan cluster(SyntheticLaw law) {
    Map<String, Allocation> all = new TreeMap<>();
    for (TrialGroup group : TrialGroups.of(law.job().search()).groups()) {
      all.put(group.name(), new Allocation(law.offer().name(), law.instances(), 1, 1));
    }
    return new Plan(true, all);
  }

  private static Plan plan(SyntheticLaw law, Profile profile, double deadlineS) {
    return new Planner(problem(law, profile, OptionalDouble.of(deadlineS)), PLANNER)
        .plan()
        .match(found -> found.plan(), infeasible -> cluster(law), impossible -> cluster(law));
  }

  private static PlanValue plans(SyntheticLaw law, double deadlineS) {
    return new PlanValue() {
      @Override
      public Optional<Worth> of(Profile profile) {
        return new Planner(
                problem(law, profile, OptionalDouble.of(deadlineS)),
                PLANNER,
                SearchParameters.PLAN_ALONE,
                () -> false)
            .plan()
            .match(
                found ->
                    Optional.of(
                        new Worth(
                            found.estimate().costUsd().mean(),
                            found.estimate().completionS().mean())),
                infeasible -> Optional.empty(),
                impossible -> Optional.empty());
      }

      @Override
      public boolean isTimed() {
        return false;
      }
    };
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
