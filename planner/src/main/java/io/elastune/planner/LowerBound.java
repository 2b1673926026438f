package io.elastune.planner;

/** What no plan can be below, in the mean (issue 4: the baseline {@code lower-bound}). */
final class LowerBound {
  private LowerBound() {}

  /** Every unit at the cheapest USD per unit of any legal size and offer. */
  static double unitsUsd(ChainModel model) {
    return sum(
        model,
        (group, size) ->
            model.trials(group)
                * model.leastWorkS(group, size)
                * size.share()
                * size.rental().usdPerS());
  }

  /** Every unit at the fastest, all instances busy: no start-up, no boot. */
  static double shortestS(ChainModel model) {
    return sum(model, (group, size) -> waves(model, group, size) * model.leastWorkS(group, size));
  }

  /** The least that all work costs, start-up included. */
  static double workUsd(ChainModel model) {
    return sum(model, model::leastUsd);
  }

  /** The least that a group takes on a size, start-up included. */
  static double shortestS(ChainModel model, int group, Size size) {
    return waves(model, group, size) * model.leastTrialS(group, size);
  }

  /** The same on no more than so many instances. */
  static double shortestS(ChainModel model, int group, Size size, int instances) {
    return waves(model, group, size, instances) * model.leastTrialS(group, size);
  }

  private static double waves(ChainModel model, int group, Size size) {
    return waves(model, group, size, size.rental().most());
  }

  /**
   * How often the mean duration of a trial a group lasts at least. Where durations vary, the last
   * wave of a group may begin when the quickest trials before it have ended: only that all slots
   * are busy to the end bounds the mean.
   */
  private static double waves(ChainModel model, int group, Size size, int instances) {
    int atOnce = instances / size.team() * size.perTeam();
    double waves = (double) model.trials(group) / atOnce;
    return model.varies(size.rental()) ? Math.max(1, waves) : Math.ceil(waves);
  }

  /**
   * No plan of the chain takes less than the first instance that is ready needs, whatever rental it
   * is of: in the mean, and nothing where instances are held already.
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
