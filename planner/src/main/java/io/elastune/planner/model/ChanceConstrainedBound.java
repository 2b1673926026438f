package io.elastune.planner.model;

import io.elastune.core.Spread;
import io.elastune.core.profile.Profile;

/**
 * Bounds from below the mean cost of all plans that meet the deadline with the required confidence,
 * for every spread (docs/decisions/0006).
 *
 * <p>For each group only unavoidable time counts: the seconds of its trials, spread evenly over as
 * many slots as there can be. That sum is linear in the random draws, so its mean is exact and its
 * standard deviation small. A sum {@code T} that is at most {@code D} with probability {@code c}
 * has a mean of at most {@code D + deviation × √((1 − c)/c)} (Cantelli), and standard deviations of
 * sums add up at most. The cheapest choice of sizes within this relaxed deadline is bounded by a
 * price of time (linear duality).
 */
public final class ChanceConstrainedBound {
  private final MeanValueModel model;
  private final SearchParameters.TimePriceGrid grid;
  private final double cantelliFactor;
  // By group and size: the least dollars, and the least seconds, reduced by the possible deviation.
  private final double[][] leastUsd;
  private final double[][] safeS;

  /**
   * @param confidence with which the job as a whole must complete in time
   */
  public ChanceConstrainedBound(MeanValueModel model, double confidence) {
    this.model = model;
    this.grid = model.parameters().timePriceGrid();
    this.cantelliFactor = Math.sqrt((1 - confidence) / confidence);
    int sizes = model.choiceSet().trialShapes().size();
    leastUsd = new double[model.groups()][sizes];
    safeS = new double[model.groups()][sizes];
    for (int group = 0; group < model.groups(); group++) {
      for (TrialShape trialShape : model.choiceSet().trialShapes()) {
        double seconds = LowerBound.shortestS(model, group, trialShape);
        safeS[group][trialShape.index()] = seconds * safeShare(variation(group, trialShape));
        if (group == 0) {
          double readyS = LowerBound.readyS(model, trialShape.offerChoice());
          safeS[group][trialShape.index()] +=
              readyS * safeShare(variation(trialShape.offerChoice()));
          seconds += readyS;
        }
        leastUsd[group][trialShape.index()] =
            model.leastUsd(group, trialShape) + model.clockUsdPerS() * seconds;
      }
    }
  }

  private double safeShare(double variation) {
    return Math.max(0, 1 - cantelliFactor * variation);
  }

  /**
   * Returns least dollars of plans that complete within {@code deadlineS}, which may be infinite.
   */
  public double leastUsd(double deadlineS) {
    double best = valueUsd(0, 0);
    double price = 1e-9;
    for (OfferChoice offerChoice : model.choiceSet().offerChoices()) {
      price =
          Math.max(
              price,
              grid.highestPriceFactor() * offerChoice.usdPerS() * offerChoice.maxInstances());
    }
    for (int p = 0; p < grid.chancePrices() && deadlineS < Double.POSITIVE_INFINITY; p++) {
      best = Math.max(best, valueUsd(price, deadlineS));
      price /= grid.chancePriceFactor();
    }
    return best;
  }

  /** Least dollars plus the price of all seconds beyond the deadline. */
  private double valueUsd(double price, double deadlineS) {
    double sum = -price * deadlineS;
    for (int group = 0; group < leastUsd.length; group++) {
      double least = Double.POSITIVE_INFINITY;
      for (int size = 0; size < leastUsd[group].length; size++) {
        least = Math.min(least, leastUsd[group][size] + price * safeS[group][size]);
      }
      sum += least;
    }
    return sum;
  }

  /** Largest coefficient of variation of the time at which the first instance is ready. */
  private static double variation(OfferChoice offerChoice) {
    return Math.max(
        ofLeast(offerChoice.offer().queueS().cv()), ofLeast(offerChoice.offer().bootS().cv()));
  }

  /** Largest coefficient of variation of the least seconds of a group. */
  private double variation(int group, TrialShape trialShape) {
    Profile profile = trialShape.offerChoice().profile();
    int trials = model.trials(group);
    double fastest = ofLeast(profile.instanceCv());
    double each = DurationSpread.factorVariance(profile, model.group(group).units()) / trials;
    double work = Math.sqrt((1 + fastest * fastest) * (1 + each) - 1);
    return Math.max(work, profile.startupS().cv() / Math.sqrt(trials));
  }

  /**
   * Largest coefficient of variation of the least of any number of log-normal draws. By the
   * Gaussian Poincaré inequality: its logarithm changes by no more than the largest of the
   * underlying normal draws.
   */
  private static double ofLeast(double cv) {
    double variance = Spread.logVariance(cv);
    return variance < 1 ? Math.sqrt(variance / (1 - variance)) : Double.POSITIVE_INFINITY;
  }
}
