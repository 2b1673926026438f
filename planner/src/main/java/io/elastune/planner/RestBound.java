package io.elastune.planner;

/**
 * What the groups still to come must at least take and cost, together: a convex curve from which
 * points are kept. Bills are bounded by the work itself (no boot, no idling, no rounding), times by
 * waves on as many instances as may be held.
 */
final class RestBound {
  private static final int RATES = 24;
  private static final int CORNERS = 12;

  private final double[][] timeS;
  private final double[][] costUsd;
  private final double clockUsdPerS;

  RestBound(ChainModel model) {
    int groups = model.groups();
    clockUsdPerS = model.clockUsdPerS();
    timeS = new double[groups + 1][CORNERS];
    costUsd = new double[groups + 1][CORNERS];
    double[] rates = rates(model);
    double[] sums = new double[rates.length];
    double shortestS = 0;
    double longestS = 0;
    for (int group = groups - 1; group >= 0; group--) {
      for (int r = 0; r < rates.length; r++) {
        sums[r] += least(model, group, rates[r], 1);
      }
      shortestS += least(model, group, 1, 0);
      longestS += atCheapestS(model, group);
      corners(group, shortestS, Math.max(shortestS, longestS), rates, sums);
    }
  }

  private static double workUsd(ChainModel model, int group, Size size) {
    double trialsS = model.trials(group) * model.trialS(group, size);
    return trialsS * size.share() * size.rental().usdPerS();
  }

  private static double leastS(ChainModel model, int group, Size size) {
    int units = size.rental().most() / size.team();
    int atOnce = units * size.perTeam();
    int waves = (model.trials(group) + atOnce - 1) / atOnce;
    return waves * model.trialS(group, size);
  }

  /** The least of money + rate × time over all sizes. */
  private static double least(ChainModel model, int group, double rate, double money) {
    double least = Double.POSITIVE_INFINITY;
    for (Size size : model.menu().sizes()) {
      double usd = money == 0 ? 0 : money * workUsd(model, group, size);
      least = Math.min(least, usd + rate * leastS(model, group, size));
    }
    return least;
  }

  private static double atCheapestS(ChainModel model, int group) {
    double leastUsd = Double.POSITIVE_INFINITY;
    double seconds = 0;
    for (Size size : model.menu().sizes()) {
      double usd = workUsd(model, group, size);
      if (usd < leastUsd) {
        leastUsd = usd;
        seconds = leastS(model, group, size);
      }
    }
    return seconds;
  }

  /** Prices of a second, from nothing to what makes time all that counts. */
  private static double[] rates(ChainModel model) {
    double dearest = 1e-9;
    for (Rental rental : model.menu().rentals()) {
      dearest = Math.max(dearest, rental.usdPerS() * rental.most());
    }
    double[] rates = new double[RATES];
    for (int r = 1; r < RATES; r++) {
      rates[r] = 4 * dearest * Math.pow(2, (r - RATES + 1) / 2.0);
    }
    return rates;
  }

  /** Within a step of time the money is at least that at the step's end. */
  private void corners(
      int group, double shortestS, double longestS, double[] rates, double[] sums) {
    for (int c = 0; c < CORNERS; c++) {
      timeS[group][c] = shortestS + (longestS - shortestS) * c / CORNERS;
      double untilS = shortestS + (longestS - shortestS) * (c + 1) / CORNERS;
      double most = c == CORNERS - 1 ? sums[0] : 0;
      for (int r = 0; c < CORNERS - 1 && r < rates.length; r++) {
        most = Math.max(most, sums[r] - rates[r] * untilS);
      }
      costUsd[group][c] = most;
    }
  }

  /** Whether whatever comes after {@code held}, a plan of {@code front} is as fast and cheaper. */
  boolean hopeless(Held held, Rental rental, int group, Front<Draft> front) {
    double spentUsd = held.costUsd() + accruedUsd(held, rental);
    for (int c = 0; c < CORNERS; c++) {
      double atS = held.timeS() + timeS[group][c];
      if (!front.beats(atS, spentUsd + costUsd[group][c] + atS * clockUsdPerS)) {
        return false;
      }
    }
    return true;
  }

  /** The least that all groups together cost, if they take at most {@code deadlineS}. */
  double leastUsd(double deadlineS) {
    double least = costUsd[0][CORNERS - 1];
    for (int c = CORNERS - 1; c > 0 && timeS[0][c] > deadlineS; c--) {
      least = costUsd[0][c - 1];
    }
    return least;
  }

  /** By the exact second: what rounding and minimum add may still be worked off. */
  private static double accruedUsd(Held held, Rental rental) {
    double seconds = 0;
    for (int i = 0; i < held.count(); i++) {
      double heldS = Math.max(0, held.timeS() - held.runningS()[i]);
      seconds += rental.billedByUse() ? held.usedS()[i] : heldS;
    }
    return seconds * rental.usdPerS();
  }
}
