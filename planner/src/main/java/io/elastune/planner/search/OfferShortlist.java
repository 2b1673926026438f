package io.elastune.planner.search;

import io.elastune.planner.model.LowerBound;
import io.elastune.planner.model.MeanValueModel;
import io.elastune.planner.model.OfferChoice;
import io.elastune.planner.model.SearchParameters;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Selects a few offers of a long choice set by the cost of the work on them. */
final class OfferShortlist {
  private OfferShortlist() {}

  /**
   * Returns all offers of a short choice set; of a long one those on which the work of some group
   * costs least at some price of time, then the second best, and so on.
   */
  static List<OfferChoice> of(MeanValueModel model) {
    SearchParameters.OfferMixing parameters = model.parameters().offerMixing();
    List<OfferChoice> all = model.choiceSet().offerChoices();
    if (all.size() <= parameters.shortlistOffers()) {
      return all;
    }
    List<List<OfferChoice>> rankings = new ArrayList<>();
    double price =
        model.parameters().timePriceGrid().highestPriceFactor()
            * all.stream().mapToDouble(r -> r.usdPerS() * r.maxInstances()).max().orElse(0);
    for (int p = 0; p < parameters.shortlistTimePrices(); p++) {
      for (int group = 0; group < model.groups(); group++) {
        rankings.add(ranking(model, group, p == 0 ? 0 : price));
      }
      price /= parameters.shortlistPriceFactor();
    }
    Set<OfferChoice> some = new LinkedHashSet<>();
    for (int place = 0; some.size() < parameters.shortlistOffers(); place++) {
      for (List<OfferChoice> ranking : rankings) {
        if (some.size() < parameters.shortlistOffers()) {
          some.add(ranking.get(place));
        }
      }
    }
    return List.copyOf(some);
  }

  private static List<OfferChoice> ranking(MeanValueModel model, int group, double price) {
    return model.choiceSet().offerChoices().stream()
        .sorted(
            Comparator.comparingDouble(offerChoice -> leastUsd(model, group, offerChoice, price)))
        .toList();
  }

  private static double leastUsd(
      MeanValueModel model, int group, OfferChoice offerChoice, double price) {
    return model.sizesOf(offerChoice.index()).stream()
        .mapToDouble(
            trialShape ->
                model.leastUsd(group, trialShape)
                    + price * LowerBound.shortestS(model, group, trialShape))
        .min()
        .orElse(Double.POSITIVE_INFINITY);
  }
}
