package io.elastune.planner;

/**
 * Lower bounds of mean time and cost that hold for every plan, such as the baseline {@code
 * lower-bound}.
 */
final class LowerBound {
  private LowerBound() {}

  /** Returns dollars of every unit at the lowest cost per unit of any legal size and offer. */
  static double unitsUsd(ChainModel model) {
    return sum(
        model,
        (group, size) ->
            model.trials(group)
                * model.leastWorkS(group, size)
                * size.share()
                * size.rental().usdPerS());
  }

  /**
   * Returns seconds of every unit at the highest speed, with all instances busy, without start-up
   * or boot.
   */
  static double shortestS(ChainModel model) {
    return sum(model, (group, size) -> waves(model, group, size) * model.leastWorkS(group, size));
  }

  /** Returns least dollars of all work, start-up included. */
  static double workUsd(ChainModel model) {
    return sum(model, model::leastUsd);
  }

  /** Returns least seconds of a group on a size, start-up included. */
  static double shortestS(ChainModel model, int group, Size size) {
    return waves(model, group, size) * model.leastTrialS(group, size);
  }

  /** Returns least seconds of a group on at most so many instances. */
  static double shortestS(ChainModel model, int group, Size size, int instances) {
    return waves(model, group, size, instances) * model.leastTrialS(group, size);
  }

  private static double waves(ChainModel model, int group, Size size) {
    return waves(model, group, size, size.rental().most());
  }

  /**
   * The least duration of a group as a multiple of the mean duration of a trial. Where durations
   * vary, the last wave of a group may begin when the fastest trials before it have ended, so only
   * the fact that slots are at most always busy bounds the mean.
   */
  private static double waves(ChainModel model, int group, Size size, int instances) {
    int atOnce = instances / size.team() * size.perTeam();
    double waves = (double) model.trials(group) / atOnce;
    return model.varies(size.rental()) ? Math.max(1, waves) : Math.ceil(waves);
  }

  /**
   * Returns mean seconds until the first instance is ready, whichever rental it is of; 0 where
   * instances are already held.
   */
  static double readyS(ChainModel model, Rental rental) {
    return model.start() == Start.NOTHING
        ? rental.offer().queueS().mean()
                * Deviation.leastFactor(rental.offer().queueS().cv(), rental.most())
            + rental.offer().bootS().mean()
                * Deviation.leastFactor(rental.offer().bootS().cv(), rental.most())
        : 0;
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
