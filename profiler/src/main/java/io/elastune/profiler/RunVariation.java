package io.elastune.profiler;

import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.MeasuredNumber;
import io.elastune.core.profile.Profile;

/**
 * By how much a run may be faster or slower than its profile says, because the profile of a shared
 * machine is a measurement of a few trials.
 */
public final class RunVariation {
  /** The largest coefficient of variation: beyond it, little more is known than the magnitude. */
  private static final double MOST = 1;

  private RunVariation() {}

  /**
   * Returns a profile of a shared machine whose {@code run_cv} is at least the relative standard
   * error of the time that all trials of a search take; other profiles as they are. The errors of
   * start-up and training are independent of each other, and equal for all trials of a run.
   */
  public static Profile of(Profile profile, Workload workload) {
    if (profile.runCv() == 0) {
      return profile;
    }
    int gpus = profile.secondsByGpus().firstKey();
    double starts = 0;
    double units = 0;
    for (TrialGroup group : workload.groups()) {
      starts += group.trials();
      units += (double) group.trials() * group.units();
    }
    double trainingS = units * profile.secondsByGpus().firstEntry().getValue();
    double startupS = starts * profile.startupS().mean();
    double errorS =
        Math.hypot(
            units * standardError(profile, "training." + gpus),
            starts * standardError(profile, "startup_s.mean"));
    double cv = Math.max(profile.runCv(), errorS / (trainingS + startupS));
    return profile.withRunCv(Math.min(MOST, cv));
  }

  private static double standardError(Profile profile, String name) {
    return profile.measured().number(name).map(MeasuredNumber::standardError).orElse(0.0);
  }
}
