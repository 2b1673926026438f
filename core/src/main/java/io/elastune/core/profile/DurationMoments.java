package io.elastune.core.profile;

import io.elastune.core.Spread;

/**
 * The distributions and raw moments of the random factors of durations (docs/model.md, "Time").
 * Each factor has the mean 1, so its variance is its second moment minus 1.
 */
public final class DurationMoments {
  private DurationMoments() {}

  /**
   * Returns the log-normal distribution of the factor of the time of a trial that is no straggler,
   * for a profile without samples.
   *
   * @param trialCv coefficient of variation of what all units of the trial have in common
   * @param units units that the trial trains
   */
  public static Spread withoutStragglers(Profile profile, double trialCv, int units) {
    double scv = trialCv * trialCv + profile.unitCv() * profile.unitCv() / units;
    return new Spread(1, Math.sqrt(scv));
  }

  /**
   * Returns a moment of the factor of the time of a trial of {@code units} units.
   *
   * @param power 2 or 3
   */
  public static double trial(Profile profile, int units, int power) {
    return attempt(profile, power(profile.unitCv(), 2) / units, power);
  }

  /** Returns the same for the part of the factor that all units of a trial have in common. */
  public static double trialWithoutUnits(Profile profile, int power) {
    return attempt(profile, 0, power);
  }

  /** Returns a moment of the factor by which an instance is slower than its profile. */
  public static double instance(Profile profile, int power) {
    return logNormal(power(profile.instanceCv(), 2), power)
        * straggling(profile.instanceStraggler(), power);
  }

  private static double attempt(Profile profile, double unitScv, int power) {
    double usual =
        profile.samples().isEmpty()
            ? logNormal(power(profile.trialCv(), 2) + unitScv, power)
            : sampled(profile, power) / power(sampled(profile, 1), power);
    return usual * straggling(profile.straggler(), power);
  }

  private static double sampled(Profile profile, int power) {
    return profile.samples().stream().mapToDouble(x -> power(x, power)).average().orElse(1);
  }

  /** {@code scv}: the squared coefficient of variation. */
  private static double logNormal(double scv, int power) {
    return power(1 + scv, power * (power - 1) / 2);
  }

  private static double straggling(Straggler straggler, int power) {
    double probability = straggler.probability();
    double raw = 1 - probability + probability * power(straggler.slowdown(), power);
    return raw / power(straggler.meanFactor(), power);
  }

  private static double power(double base, int exponent) {
    double result = base;
    for (int i = 1; i < exponent; i++) {
      result *= base;
    }
    return result;
  }
}
