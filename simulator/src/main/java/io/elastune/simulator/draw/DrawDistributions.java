package io.elastune.simulator.draw;

import io.elastune.core.Spread;
import io.elastune.core.offer.Offer;
import io.elastune.core.profile.DurationMoments;
import io.elastune.core.profile.Profile;

/** Creates the distributions of the quantities in profiles and offers. */
public final class DrawDistributions {
  private DrawDistributions() {}

  /**
   * Returns the log-normal distribution of {@code spread}, or a constant if it does not vary, or so
   * little that the square of the variation is 0.
   */
  public static DrawDistribution of(Spread spread) {
    return spread.mean() > 0 && Spread.logVariance(spread.cv()) > 0
        ? LogNormalDraws.of(spread.mean(), spread.cv())
        : new ConstantDraws(spread.mean());
  }

  /** Returns the distribution of the seconds from a request to running, with refusals. */
  public static DrawDistribution ofQueue(Offer offer) {
    return RefusalDraws.of(of(offer.queueS()), offer.faults());
  }

  /** Returns the distribution of the seconds from running to ready, with slow boots. */
  public static DrawDistribution ofBoot(Offer offer) {
    return SlowBootDraws.of(of(offer.bootS()), offer.faults());
  }

  /**
   * Returns the distribution of {@code X} (docs/model.md, "Time"): the factor with mean 1 by which
   * a trial of {@code units} units is slower than in its profile. It is log-normal with the squared
   * coefficient of variation {@code trial_cv² + unit_cv²/u}, or the samples of the profile scaled
   * to mean 1. Stragglers are applied to either.
   */
  public static DrawDistribution ofTrial(Profile profile, int units) {
    return ofTrial(profile, profile.trialCv(), units);
  }

  /** Returns the distribution of what the hyperparameters of a trial do not explain of it. */
  public static DrawDistribution ofConfiguredTrial(Profile profile, int units) {
    return ofTrial(profile, profile.configurations().residualCv(), units);
  }

  private static DrawDistribution ofTrial(Profile profile, double trialCv, int units) {
    DrawDistribution common =
        profile.samples().isEmpty()
            ? of(DurationMoments.withoutStragglers(profile, trialCv, units))
            : EmpiricalDraws.ofMeanOne(profile.samples());
    return StragglerDraws.of(common, profile.straggler());
  }

  /**
   * Returns the distribution of {@code Y} (docs/model.md, "Time"): the factor with mean 1 by which
   * an instance is slower than in the profile, for its whole lease. It is log-normal, with
   * straggling instances applied.
   */
  public static DrawDistribution ofInstance(Profile profile) {
    return StragglerDraws.of(of(new Spread(1, profile.instanceCv())), profile.instanceStraggler());
  }
}
