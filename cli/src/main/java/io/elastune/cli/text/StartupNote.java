package io.elastune.cli.text;

import io.elastune.core.Spread;
import io.elastune.core.job.TrialSpec;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.ProblemBuilder;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.ProfileBuilder;
import io.elastune.core.time.Durations;
import io.elastune.inputs.MeanDifference;
import io.elastune.inputs.NoteSampling;
import io.elastune.inputs.PlanFigures;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Says what the start-up of trials costs, and what would save it, if it is a large share. */
final class StartupNote {
  /** The least share of the trials' GPU time that is mentioned. */
  private static final double LEAST_SHARE = 0.5;

  private StartupNote() {}

  /** Returns whether the line compares the prediction with one without start-up. */
  static boolean isComparison(Problem problem, Plan plan) {
    double startupS = 0;
    double allS = 0;
    for (TrialGroup group : problem.workload().groups()) {
      Allocation allocation = plan.of(group);
      Optional<Profile> profile = problem.offer(allocation.offer()).flatMap(problem::profile);
      if (profile.isEmpty()) {
        continue;
      }
      double gpus = (double) group.trials() * allocation.gpusPerTrial() / allocation.trialsPerGpu();
      double unitS =
          allocation.trialsPerGpu() > 1
              ? profile.get().secondsBySharing().getOrDefault(allocation.trialsPerGpu(), 0.0)
              : profile.get().secondsByGpus().getOrDefault(allocation.gpusPerTrial(), 0.0);
      double meanS = profile.get().startupS().mean();
      startupS += gpus * meanS;
      allS += gpus * (meanS + unitS * (group.toUnit() - group.fromUnit()));
    }
    return startupS >= LEAST_SHARE * allS && startupS > 0;
  }

  /** Returns one line, or nothing if the start-up is a small share. */
  static Optional<String> of(
      TrialSpec trial, Problem problem, Plan plan, PlanFigures figures, NoteSampling sampling) {
    if (!isComparison(problem, plan)) {
      return Optional.empty();
    }
    MeanDifference caused = figures.differenceTo(withoutStartup(problem), sampling);
    String cost = UsdFormat.format(Math.max(0, caused.usd()));
    return Optional.of(
        "included: start-up of trials, %s of the mean time%s%s"
            .formatted(
                Durations.format(Math.max(0, caused.seconds())),
                cost.equals(UsdFormat.format(0)) ? "" : " and " + cost + " of the mean cost",
                remedy(trial, problem)));
  }

  private static String remedy(TrialSpec trial, Problem problem) {
    boolean continues =
        problem.workload().rungs().isPresent()
            || problem.workload().groups().stream().anyMatch(group -> group.fromUnit() > 0);
    if (!continues) {
      return "";
    }
    if (trial.keepAlive()) {
      return "; of trials that continue on their GPUs, only the first (trial.keep_alive)";
    }
    String fewer = "a larger search.resource.min starts trials less often";
    return trial.resumable()
        ? "; trial.keep_alive: true saves it where trials continue on their GPUs, and " + fewer
        : "; " + fewer;
  }

  private static Problem withoutStartup(Problem problem) {
    Map<String, Profile> profiles = new TreeMap<>();
    problem
        .profiles()
        .forEach(
            (gpu, profile) ->
                profiles.put(
                    gpu, ProfileBuilder.builder(profile).startupS(new Spread(0, 0)).build()));
    return ProblemBuilder.builder(problem).profiles(profiles).build();
  }
}
