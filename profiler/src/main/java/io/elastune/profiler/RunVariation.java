package io.elastune.profiler;

import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.ConfigurationEffect;
import io.elastune.core.profile.MeasuredNumber;
import io.elastune.core.profile.Profile;
import java.util.List;
import java.util.Map;

/**
 * By how much a run may be faster or slower than its profile says, because the profile of a shared
 * machine is a measurement of a few trials.
 */
public final class RunVariation {
  /** The largest coefficient of variation: beyond it, little more is known than the magnitude. */
  private static final double MOST = 1;

  /** The number of trials of a search of which none is known to be measured. */
  static final double UNKNOWN = Double.POSITIVE_INFINITY;

  private RunVariation() {}

  /**
   * Returns a profile of a shared machine whose {@code run_cv} is at least the relative standard
   * error of the time that all trials of a search take; other profiles as they are.
   *
   * @param trials the hyperparameters of all trials of the search; empty if they are not known
   */
  public static Profile of(Profile profile, Workload workload, List<Map<String, Object>> trials) {
    if (profile.runCv() == 0) {
      return profile;
    }
    boolean wereMeasured = profile.measured().number(KnownTrials.number(trials)).isPresent();
    double error = error(profile, workload, wereMeasured ? trials.size() : UNKNOWN);
    return profile.withRunCv(Math.min(MOST, Math.max(profile.runCv(), error)));
  }

  /**
   * Returns the relative standard error of the time that all trials of a search take. The errors of
   * start-up and training are independent of each other, and equal for all trials of a run.
   *
   * @param trials the number of trials of the search, if the measured ones are among them; {@link
   *     #UNKNOWN} otherwise
   */
  static double error(Profile profile, Workload workload, double trials) {
    double starts = starts(workload);
    double units = units(workload);
    double errorS =
        Math.hypot(units * unitErrorS(profile, trials), starts * startupErrorS(profile));
    return errorS / trialS(profile, workload);
  }

  /** Returns the seconds of all trials of a search together. */
  static double trialS(Profile profile, Workload workload) {
    return units(workload) * profile.secondsByGpus().firstEntry().getValue()
        + starts(workload) * profile.startupS().mean();
  }

  private static double starts(Workload workload) {
    return workload.groups().stream().mapToDouble(TrialGroup::trials).sum();
  }

  private static double units(Workload workload) {
    return workload.groups().stream()
        .mapToDouble(group -> (double) group.trials() * group.units())
        .sum();
  }

  private static double startupErrorS(Profile profile) {
    return standardError(profile, "startup_s.mean");
  }

  /**
   * Returns the standard error of the seconds per unit. What hyperparameters explain of the
   * differences between the measured trials is no error of the others, whose hyperparameters are
   * known, and only the trials of the search that were not measured leave something open (finite
   * population correction: Cochran, Sampling Techniques, 1977). The differences between runs
   * remain.
   */
  private static double unitErrorS(Profile profile, double trials) {
    String name = "training." + profile.secondsByGpus().firstKey();
    double error = standardError(profile, name);
    double count = profile.measured().number(name).map(MeasuredNumber::count).orElse(0);
    double notMeasured = Math.max(0, 1 - count / trials);
    double unitS = profile.secondsByGpus().firstEntry().getValue();
    double ofRunS = Math.min(error, profile.runCv() * unitS);
    ConfigurationEffect effect = profile.configurations();
    double explained = effect.factors().isEmpty() ? 0 : effect.explained();
    double ofTrialsS2 = (error * error - ofRunS * ofRunS) * (1 - explained) * notMeasured;
    return Math.sqrt(ofTrialsS2 + ofRunS * ofRunS);
  }

  private static double standardError(Profile profile, String name) {
    return profile.measured().number(name).map(MeasuredNumber::standardError).orElse(0.0);
  }
}
