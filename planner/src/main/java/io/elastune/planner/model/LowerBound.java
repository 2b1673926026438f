package io.elastune.planner.model;

/**
 * Lower bounds of mean time and cost that hold for every plan, such as the baseline {@code
 * lower-bound}.
 */
public final class LowerBound {
  private LowerBound() {}

  /**
   * Returns the cost, in USD, of all units at the lowest cost per unit of any trial shape and
   * offer.
   */
  public static double unitsUsd(MeanValueModel model) {
    return sum(
        model,
        (group, trialShape) ->
            model.trials(group)
                * model.leastWorkS(group, trialShape)
                * trialShape.share()
                * trialShape.offerChoice().usdPerS());
  }

  /**
   * Returns the time, in seconds, of all units at the highest speed, with all instances busy,
   * without start-up or boot.
   */
  public static double shortestS(MeanValueModel model) {
    return sum(
        model,
        (group, trialShape) ->
            waves(model, group, trialShape) * model.leastWorkS(group, trialShape));
  }

  /** Returns least dollars of all work, start-up included. */
  public static double workUsd(MeanValueModel model) {
    return sum(model, model::leastUsd);
  }

  /** Returns least seconds of a group on a size, start-up included. */
  public static double shortestS(MeanValueModel model, int group, TrialShape trialShape) {
    return waves(model, group, trialShape) * model.leastTrialS(group, trialShape);
  }

  /** Returns least seconds of a group on at most so many instances. */
  public static double shortestS(
      MeanValueModel model, int group, TrialShape trialShape, int instances) {
    return waves(model, group, trialShape, instances) * model.leastTrialS(group, trialShape);
  }

  private static double waves(MeanValueModel model, int group, TrialShape trialShape) {
    return waves(model, group, trialShape, trialShape.offerChoice().maxInstances());
  }

  /**
   * The least duration of a group as a multiple of the mean duration of a trial. Where durations
   * vary, the last wave of a group may begin when the fastest trials before it have ended, so only
   * the fact that slots are at most always busy bounds the mean.
   */
  private static double waves(
      MeanValueModel model, int group, TrialShape trialShape, int instances) {
    int atOnce = instances / trialShape.team() * trialShape.perTeam();
    double waves = (double) model.trials(group) / atOnce;
    return model.varies(trialShape.offerChoice()) ? Math.max(1, waves) : Math.ceil(waves);
  }

  /**
   * Returns mean seconds until the first instance is ready, whichever offer it is of; 0 where
   * instances are already held.
   */
  static double readyS(MeanValueModel model, OfferChoice offerChoice) {
    return model.start() == InitialHoldings.NOTHING
        ? offerChoice.firstReadyAfterS(offerChoice.maxInstances())
        : 0;
  }

  private static double sum(MeanValueModel model, Quantity quantity) {
    double sum = 0;
    for (int group = 0; group < model.groups(); group++) {
      double least = Double.POSITIVE_INFINITY;
      for (TrialShape trialShape : model.choiceSet().trialShapes()) {
        least = Math.min(least, quantity.of(group, trialShape));
      }
      sum += least;
    }
    return sum;
  }

  /** A quantity of a group on a size. */
  private interface Quantity {
    double of(int group, TrialShape trialShape);
  }
}
