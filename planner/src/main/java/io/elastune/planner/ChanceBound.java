package io.elastune.planner;

import io.elastune.core.profile.Profile;

/**
 * What no plan can cost less than, in the mean, that keeps the deadline with the confidence asked
 * for, whatever varies (docs/decisions/0006).
 *
 * <p>Of each group only what no schedule can avoid is counted: its trials' own seconds, dealt out
 * evenly over as many slots as there can be. That sum is linear in the draws, so its mean is exact
 * and its deviation small. A sum {@code T} that is at most {@code D} with probability {@code c} has
 * a mean of at most {@code D + deviation × √((1 − c)/c)} (Cantelli), and deviations of sums add up
 * at most. Of all choices of sizes that keep this relaxed deadline the cheapest is bounded by a
 * price of time (linear duality).
 */
final class ChanceBound {
  private static final int PRICES = 200;
  private static final double STEP = 1.1;

  private final ChainModel model;
  private final double doubt;

  /**
   * @param confidence with which the job as a whole is to be done in time
   */
  ChanceBound(ChainModel model, double confidence) {
    this.model = model;
    this.doubt = Math.sqrt((1 - confidence) / confidence);
  }

  /** Dollars, for plans that are done in {@code deadlineS}; infinite for any time. */
  double leastUsd(double deadlineS) {
    double best = valueUsd(0, 0);
    double price = 1e-9;
    for (Rental rental : model.menu().rentals()) {
      price = Math.max(price, 4 * rental.usdPerS() * rental.most());
    }
    for (int p = 0; p < PRICES && deadlineS < Double.POSITIVE_INFINITY; p++) {
      best = Math.max(best, valueUsd(price, deadlineS));
      price /= STEP;
    }
    return best;
  }

  /** The least of dollars and seconds beyond the deadline, these at a price. */
  private double valueUsd(double price, double deadlineS) {
    double sum = -price * deadlineS;
    for (int group = 0; group < model.groups(); group++) {
      double least = Double.POSITIVE_INFINITY;
      for (Size size : model.menu().sizes()) {
        least = Math.min(least, valueUsd(price, group, size));
      }
      sum += least;
    }
    return sum;
  }

  private double valueUsd(double price, int group, Size size) {
    double seconds = LowerBound.shortestS(model, group, size);
    double safeS = seconds * Math.max(0, 1 - doubt * variation(group, size));
    double usd = model.leastUsd(group, size) + model.clockUsdPerS() * seconds + price * safeS;
    return group == 0 ? usd + readyUsd(price, size.rental()) : usd;
  }

  private double readyUsd(double price, Rental rental) {
    double readyS = LowerBound.readyS(model, rental);
    double variation =
        Math.max(ofLeast(rental.offer().queueS().cv()), ofLeast(rental.offer().bootS().cv()));
    return model.clockUsdPerS() * readyS + price * readyS * Math.max(0, 1 - doubt * variation);
  }

  /** The deviation of a group's least seconds at the most, as a part of them. */
  private double variation(int group, Size size) {
    Profile profile = size.rental().profile();
    int trials = model.trials(group);
    double fastest = ofLeast(profile.instanceCv());
    double each = Deviation.factorVariance(profile, model.group(group).units()) / trials;
    double work = Math.sqrt((1 + fastest * fastest) * (1 + each) - 1);
    return Math.max(work, profile.startupS().cv() / Math.sqrt(trials));
  }

  /**
   * The variation of the least of any number of log-normal draws at the most: by the Gaussian
   * Poincaré inequality, for its logarithm changes by no more than the greatest of the normal draws
   * behind it.
   */
  private static double ofLeast(double cv) {
    double variance = Math.log1p(cv * cv);
    return variance < 1 ? Math.sqrt(variance / (1 - variance)) : Double.POSITIVE_INFINITY;
  }
}
