package io.elastune.planner.model;

import io.elastune.core.Spread;
import io.elastune.core.profile.DurationMoments;
import io.elastune.core.profile.Profile;

/**
 * The random variation of the duration of a trial.
 *
 * @param varianceS2 variance from trial to trial, in seconds squared
 * @param unitS2 variance from one instance or team to the next, in seconds squared
 * @param skew a sixth of the skewness: a draw that is one standard deviation above the mean is
 *     further up than a normal one by this part of the standard deviation
 * @param freeSkew the same for the times at which new instances become ready
 */
record DurationSpread(double varianceS2, double unitS2, double skew, double freeSkew) {
  static final DurationSpread NONE = new DurationSpread(0, 0, 0, 0);

  /**
   * Returns the spread of a trial that trains {@code units} units in {@code workS} seconds,
   * start-up excluded.
   */
  static DurationSpread of(TrialShape trialShape, double workS, int units) {
    OfferChoice offerChoice = trialShape.offerChoice();
    Profile profile = offerChoice.profile();
    double factorS2 = workS * workS * factorVariance(profile, units);
    double startupS = profile.startupS().mean() * profile.startupS().cv();
    double variance = factorS2 + startupS * startupS;
    double cubes =
        cube(workS) * factorThird(profile, units) + 3 * profile.startupS().cv() * cube(startupS);
    double skew = variance == 0 ? 0 : cubes / (6 * cube(Math.sqrt(variance)));
    double unitS2 =
        workS
            * workS
            * instanceVariance(profile)
            * StandardNormal.maximumVariance(trialShape.team());
    double readySkew = readySkew(offerChoice.offer().queueS(), offerChoice.offer().bootS());
    return new DurationSpread(variance, unitS2, skew, readySkew);
  }

  /**
   * Returns the variance of the factor {@code Y} by which an instance is slower than its profile.
   */
  static double instanceVariance(Profile profile) {
    return Math.max(0, DurationMoments.instance(profile, 2) - 1);
  }

  /** Returns the spread of durations that are longer by a factor. */
  DurationSpread times(double factor) {
    double square = factor * factor;
    return factor == 1
        ? this
        : new DurationSpread(varianceS2 * square, unitS2 * square, skew, freeSkew);
  }

  private static double readySkew(Spread queueS, Spread bootS) {
    double queue = queueS.mean() * queueS.cv();
    double boot = bootS.mean() * bootS.cv();
    double cubes = 3 * (queueS.cv() * cube(queue) + bootS.cv() * cube(boot));
    return cubes == 0 ? 0 : cubes / (6 * cube(Math.hypot(queue, boot)));
  }

  /** Returns the variance of the factor {@code X} of a trial that trains {@code units} units. */
  static double factorVariance(Profile profile, int units) {
    return Math.max(0, DurationMoments.trial(profile, units, 2) - 1);
  }

  /** Third central moment of {@code X}. */
  private static double factorThird(Profile profile, int units) {
    return DurationMoments.trial(profile, units, 3)
        - 3 * DurationMoments.trial(profile, units, 2)
        + 2;
  }

  private static double cube(double x) {
    return x * x * x;
  }

  boolean isNone() {
    return varianceS2 == 0 && unitS2 == 0;
  }

  /**
   * Returns the variance of the end of a slot after {@code fills} trials, where it became free at a
   * time of variance {@code freeS2}.
   */
  double variance(double freeS2, int fills) {
    return freeS2 + fills * varianceS2;
  }

  /** Returns a sixth of the skewness of the end of a slot. */
  double skew(double freeS2, int fills) {
    double sum = variance(freeS2, fills);
    if (sum == 0) {
      return 0;
    }
    double cubes =
        freeSkew * freeS2 * Math.sqrt(freeS2) + fills * skew * varianceS2 * Math.sqrt(varianceS2);
    return cubes / (sum * Math.sqrt(sum));
  }

  /**
   * Returns the expected seconds by which the last of {@code slots} such ends is later than their
   * mean.
   */
  double maximumS(double freeS2, int fills, int slots) {
    double variance = variance(freeS2, fills);
    return variance == 0 || slots <= 1 ? 0 : maximumS(variance, skew(freeS2, fills), slots);
  }

  /**
   * Returns the same for slots on {@code units} instances or teams that become free independently,
   * each with all its slots at once: the last unit, each as late as the last of its slots.
   */
  double latestS(double apartS2, int fills, int units, int slots) {
    int perUnit = slots / units;
    if (apartS2 == 0 || perUnit <= 1) {
      return maximumS(apartS2, fills, slots);
    }
    double lastS2 = apartS2 + variance(0, fills) * StandardNormal.maximumVariance(perUnit);
    return maximumS(0, fills, perUnit) + maximumS(lastS2, skew(apartS2, fills), units);
  }

  /** The first term of the Cornish-Fisher expansion for the skewness. */
  static double maximumS(double variance, double skew, int slots) {
    if (slots <= 1) {
      return 0;
    }
    double maximum = StandardNormal.maximum(slots);
    double spread = StandardNormal.maximumVariance(slots);
    return Math.sqrt(variance) * (maximum + skew * (maximum * maximum + spread - 1));
  }
}
