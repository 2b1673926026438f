package io.elastune.planner.model;

import io.elastune.core.Spread;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.Straggler;

/**
 * Bounds and means of several draws of the factor {@code Y} by which an instance is slower than its
 * profile (docs/model.md).
 */
final class InstanceFactors {
  private InstanceFactors() {}

  /**
   * Returns a lower bound of the mean of the least of {@code leases} draws of {@code Y}. The
   * logarithm of a log-normal draw is normal; the least of {@code n} normal draws is on average at
   * most √(2 ln n) standard deviations below the mean; the exponential function is convex (Jensen).
   */
  static double least(Profile profile, int leases) {
    return leastFactor(profile.instanceCv(), leases) / profile.instanceStraggler().meanFactor();
  }

  /** Returns the same bound for the least of {@code count} log-normal draws of mean 1. */
  static double leastFactor(double cv, int count) {
    double variance = Spread.logVariance(cv);
    return Math.exp(-Math.sqrt(variance * 2 * Math.log(count)) - variance / 2);
  }

  /**
   * Returns the mean speed of an instance, {@code 1/Y}: above 1 if instances differ, because the
   * fast ones train more units than the slow ones.
   */
  static double meanSpeed(Profile profile) {
    Straggler straggler = profile.instanceStraggler();
    double common = 1 + profile.instanceCv() * profile.instanceCv();
    double slowed = 1 - straggler.probability() + straggler.probability() / straggler.slowdown();
    return common * straggler.meanFactor() * slowed;
  }
}
