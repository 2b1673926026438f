package io.elastune.planner.search;

import io.elastune.planner.model.ChainCandidate;
import io.elastune.planner.model.MeanValueModel;
import io.elastune.planner.model.OfferChoice;
import io.elastune.planner.model.ParetoFront;
import io.elastune.planner.model.SearchParameters;

/**
 * Prices of a second, in dollars, for bounds and searches that trade time for cost ({@link
 * LagrangianBound}).
 *
 * @param dollarsPerS the lowest first, which is 0
 */
@SuppressWarnings("ArrayRecordComponent") // of the innermost loop; nothing compares these
record TimePrices(double[] dollarsPerS) {
  /** Returns prices for any deadline: from 0 to a price at which only time counts. */
  static TimePrices forAllDeadlines(MeanValueModel model) {
    SearchParameters.TimePriceGrid grid = model.parameters().timePriceGrid();
    double[] prices = new double[grid.widePrices()];
    for (int p = 1; p < prices.length; p++) {
      prices[p] = highest(model) * Math.pow(grid.widePriceFactor(), p + 1.0 - prices.length);
    }
    return new TimePrices(prices);
  }

  /**
   * Returns prices for one deadline: around the price at which the known plans give the best bound
   * of the cost of a plan that meets it.
   */
  static TimePrices forDeadline(
      MeanValueModel model, ParetoFront<ChainCandidate> known, double deadlineS) {
    SearchParameters.TimePriceGrid grid = model.parameters().timePriceGrid();
    double best = 0;
    double bestUsd = leastUsd(known, 0, deadlineS);
    double ratio =
        Math.pow(grid.widePriceFactor(), (double) grid.widePrices() / grid.nearPriceTrials());
    double price = highest(model);
    for (int look = 0; look < grid.nearPriceTrials(); look++) {
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
    double[] prices = new double[grid.nearPriceFactors().size() + 1];
    for (int p = 1; p < prices.length; p++) {
      prices[p] = best * grid.nearPriceFactors().get(p - 1);
    }
    return new TimePrices(prices);
  }

  private static double leastUsd(
      ParetoFront<ChainCandidate> known, double price, double deadlineS) {
    double least = Double.POSITIVE_INFINITY;
    for (ChainCandidate chainCandidate : known.items()) {
      double lateS = price == 0 ? 0 : chainCandidate.completionS() - deadlineS;
      least = Math.min(least, chainCandidate.costUsd() + price * lateS);
    }
    return least;
  }

  private static double highest(MeanValueModel model) {
    double factor = model.parameters().timePriceGrid().highestPriceFactor();
    double highest = 1e-9;
    for (OfferChoice offerChoice : model.choiceSet().offerChoices()) {
      highest = Math.max(highest, factor * offerChoice.usdPerS() * offerChoice.maxInstances());
    }
    return highest;
  }
}
