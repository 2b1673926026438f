package io.elastune.planner;

import io.elastune.core.profile.Profile;

/** What no plan can be below, in the mean (issue 4: the baseline {@code lower-bound}). */
final class LowerBound {
  private LowerBound() {}

  /** Every unit at the cheapest USD per unit of any legal size and offer. */
  static double unitsUsd(ChainModel model) {
    return sum(
        model,
        (group, size) ->
            model.trials(group)
                * leastWorkS(model, group, size)
                * size.share()
                * size.rental().usdPerS());
  }

  /** Every unit at the fastest, all instances busy: no start-up, no boot. */
  static double shortestS(ChainModel model) {
    return sum(model, (group, size) -> waves(model, group, size) * leastWorkS(model, group, size));
  }

  /** The least that all work costs, start-up included. */
  static double workUsd(ChainModel model) {
    return sum(model, (group, size) -> workUsd(model, group, size));
  }

  /** The least that a group's work costs on a size, start-up included. */
  static double workUsd(ChainModel model, int group, Size size) {
    double trialsS = model.trials(group) * leastTrialS(model, group, size);
    return trialsS * size.share() * size.rental().usdPerS();
  }

  /** The least that a group takes on a size, start-up included. */
  static double shortestS(ChainModel model, int group, Size size) {
    return waves(model, group, size) * leastTrialS(model, group, size);
  }

  /**
   * How often the mean duration of a trial a group lasts at least. Where durations vary, the last
   * wave of a group may begin when the quickest trials before it have ended: only that all slots
   * are busy to the end bounds the mean.
   */
  private static double waves(ChainModel model, int group, Size size) {
    int atOnce = size.rental().most() / size.team() * size.perTeam();
    double waves = (double) model.trials(group) / atOnce;
    return model.varies(size.rental()) ? Math.max(1, waves) : Math.ceil(waves);
  }

  private static double leastTrialS(ChainModel model, int group, Size size) {
    return size.rental().profile().startupS().mean() + leastWorkS(model, group, size);
  }

  /** Where instances differ in speed, all trials may run on the fastest of all leases. */
  private static double leastWorkS(ChainModel model, int group, Size size) {
    double workS = model.workS(group, size);
    return model.varies(size.rental())
        ? workS * fastest(size.rental().profile(), size.rental().most() * model.groups())
        : workS;
  }

  /**
   * A factor that the mean of the least of {@code leases} draws of {@code Y} is not below: the
   * logarithm of a log-normal draw is normal, of {@code n} normal draws the least is on average at
   * most √(2 ln n) deviations below the mean, and the exponential is convex (Jensen).
   */
  private static double fastest(Profile profile, int leases) {
    double cv = profile.instanceCv();
    double variance = Math.log1p(cv * cv);
    double least = Math.sqrt(variance * 2 * Math.log(leases)) + variance / 2;
    double share = profile.instanceStraggler().probability();
    double stretch = 1 - share + share * profile.instanceStraggler().slowdown();
    return Math.exp(-least) / stretch;
  }

  private static double sum(ChainModel model, Quantity quantity) {
    double sum = 0;
    for (int group = 0; group < model.groups(); group++) {
      double least = Double.POSITIVE_INFINITY;
      for (Size size : model.menu().sizes()) {
        least = Math.min(least, quantity.of(group, size));
      }
      sum += least;
    }
    return sum;
  }

  /** A quantity of a group on a size. */
  private interface Quantity {
    double of(int group, Size size);
  }
}
