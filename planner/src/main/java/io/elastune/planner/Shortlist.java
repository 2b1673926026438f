package io.elastune.planner;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Selects a few rentals of a long menu by the cost of the work on them. */
final class Shortlist {
  private Shortlist() {}

  /**
   * Returns all rentals of a short menu; of a long one those on which the work of some group costs
   * least at some price of time, then the second best, and so on.
   */
  static List<Rental> of(ChainModel model) {
    SearchParameters.OfferMixing parameters = model.parameters().offerMixing();
    List<Rental> all = model.menu().rentals();
    if (all.size() <= parameters.shortlistOffers()) {
      return all;
    }
    List<List<Rental>> rankings = new ArrayList<>();
    double price =
        model.parameters().timePriceGrid().highestPriceFactor()
            * all.stream().mapToDouble(r -> r.usdPerS() * r.most()).max().orElse(0);
    for (int p = 0; p < parameters.shortlistTimePrices(); p++) {
      for (int group = 0; group < model.groups(); group++) {
        rankings.add(ranking(model, group, p == 0 ? 0 : price));
      }
      price /= parameters.shortlistPriceFactor();
    }
    Set<Rental> some = new LinkedHashSet<>();
    for (int place = 0; some.size() < parameters.shortlistOffers(); place++) {
      for (List<Rental> ranking : rankings) {
        if (some.size() < parameters.shortlistOffers()) {
          some.add(ranking.get(place));
        }
      }
    }
    return List.copyOf(some);
  }

  private static List<Rental> ranking(ChainModel model, int group, double price) {
    return model.menu().rentals().stream()
        .sorted(Comparator.comparingDouble(rental -> leastUsd(model, group, rental, price)))
        .toList();
  }

  private static double leastUsd(ChainModel model, int group, Rental rental, double price) {
    return model.sizesOf(rental.index()).stream()
        .mapToDouble(
            size -> model.leastUsd(group, size) + price * LowerBound.shortestS(model, group, size))
        .min()
        .orElse(Double.POSITIVE_INFINITY);
  }
}
