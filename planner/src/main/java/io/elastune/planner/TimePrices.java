package io.elastune.planner;

/**
 * What a second may be worth, in dollars, where time is given a price ({@link Relaxation}).
 *
 * @param dollarsPerS the least first, which is 0
 */
@SuppressWarnings("ArrayRecordComponent") // of the innermost loop; nothing compares these
record TimePrices(double[] dollarsPerS) {
  private static final int MANY = 12;
  private static final double STEP = 2.4;

  /** Around a deadline, with respect to the price that fits best. */
  private static final double[] NEAR = {0.4, 0.7, 1, 1.4, 2.5};

  /** Looks at prices until the best for a deadline is found. */
  private static final int LOOKS = 80;

  /** From nothing to what makes time all that counts: for any deadline. */
  static TimePrices wide(ChainModel model) {
    double[] prices = new double[MANY];
    for (int p = 1; p < MANY; p++) {
      prices[p] = dearest(model) * Math.pow(STEP, p + 1.0 - MANY);
    }
    return new TimePrices(prices);
  }

  /**
   * For one deadline: around the price at which plans that are known bound best what one must cost
   * that keeps it.
   */
  static TimePrices near(ChainModel model, Front<Draft> known, double deadlineS) {
    double best = 0;
    double bestUsd = leastUsd(known, 0, deadlineS);
    double ratio = Math.pow(STEP, (double) MANY / LOOKS);
    double price = dearest(model);
    for (int look = 0; look < LOOKS; look++) {
      double usd = leastUsd(known, price, deadlineS);
      if (usd > bestUsd) {
        bestUsd = usd;
        best = price;
      }
      price /= ratio;
    }
    if (best == 0) {
      return new TimePrices(new double[1]);
    }
    double[] prices = new double[NEAR.length + 1];
    for (int p = 0; p < NEAR.length; p++) {
      prices[p + 1] = best * NEAR[p];
    }
    return new TimePrices(prices);
  }

  private static double leastUsd(Front<Draft> known, double price, double deadlineS) {
    double least = Double.POSITIVE_INFINITY;
    for (Draft draft : known.items()) {
      double lateS = price == 0 ? 0 : draft.completionS() - deadlineS;
      least = Math.min(least, draft.costUsd() + price * lateS);
    }
    return least;
  }

  private static double dearest(ChainModel model) {
    double dearest = 1e-9;
    for (Rental rental : model.menu().rentals()) {
      dearest = Math.max(dearest, 4 * rental.usdPerS() * rental.most());
    }
    return dearest;
  }
}
