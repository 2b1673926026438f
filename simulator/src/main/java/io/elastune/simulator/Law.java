package io.elastune.simulator;

import io.elastune.core.Spread;
import io.elastune.core.profile.Profile;

/** How a quantity is distributed: what we ask of any distribution. */
sealed interface Law permits Constant, LogNormal, Empirical, Straggling {
  /** The expected value. */
  double mean();

  /** Whether draws differ at all. */
  boolean varies();

  /** A source of draws at the start of {@code streams}. */
  Source open(Streams streams);

  /** Independent draws, one after the other. */
  interface Source {
    /** Puts the next {@code count} draws into {@code into}, from index {@code from} on. */
    void fill(double[] into, int from, int count);
  }

  /** Log-normal of the mean and coefficient of variation given; constant if it does not vary. */
  static Law of(Spread spread) {
    return spread.mean() > 0 && spread.cv() > 0
        ? LogNormal.of(spread.mean(), spread.cv())
        : new Constant(spread.mean());
  }

  /**
   * {@code X} of model.md, "Time": the factor of mean 1 by which a trial of {@code units} units is
   * slower than its profile says. Squared coefficient of variation {@code trial_cv² + unit_cv²/u},
   * log-normal, unless the profile carries its own samples, which are scaled to mean 1. Stragglers
   * come on top of either.
   */
  static Law ofTrial(Profile profile, int units) {
    double scv =
        profile.trialCv() * profile.trialCv() + profile.unitCv() * profile.unitCv() / units;
    Law common =
        profile.samples().isEmpty()
            ? of(new Spread(1, Math.sqrt(scv)))
            : Empirical.ofMeanOne(profile.samples());
    return Straggling.of(common, profile.straggler());
  }

  /**
   * {@code Y}: the factor of mean 1 by which a whole instance is slower than the profile says, for
   * as long as it is held. Log-normal, with straggling instances on top.
   */
  static Law ofInstance(Profile profile) {
    return Straggling.of(of(new Spread(1, profile.instanceCv())), profile.instanceStraggler());
  }
}
