package io.elastune.planner.search;

import io.elastune.planner.model.ChainCandidate;
import io.elastune.planner.model.OfferChoice;
import io.elastune.planner.model.SearchParameters;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Finds corners of the convex hull of the frontier with repeated beam searches ({@link
 * BeamSearch}).
 */
final class FrontierHull {
  private final BeamSearch beamSearch;
  private final List<OfferChoice> offerChoices;
  private final int cap;
  private final SearchParameters.Beam parameters;
  private final List<Side> sides = new ArrayList<>();

  /** Two adjacent corners, between which there may be more. */
  private record Side(ChainCandidate faster, ChainCandidate slower) {
    double savingUsd() {
      return faster.costUsd() - slower.costUsd();
    }

    boolean spans(double deadlineS) {
      return faster.completionS() <= deadlineS && slower.completionS() > deadlineS;
    }
  }

  FrontierHull(
      BeamSearch beamSearch,
      List<OfferChoice> offerChoices,
      int cap,
      SearchParameters.Beam parameters) {
    this.parameters = parameters;
    this.beamSearch = beamSearch;
    this.offerChoices = offerChoices;
    this.cap = cap;
  }

  /** Searches for corners, first those around a deadline. */
  void explore(double deadlineS) {
    double highestUsdPerS =
        offerChoices.stream().mapToDouble(r -> r.usdPerS() * r.maxInstances()).max().orElse(0);
    Optional<ChainCandidate> fastest =
        beamSearch.search(parameters.fastestPriceFactor() * highestUsdPerS, offerChoices, cap);
    Optional<ChainCandidate> cheapest = beamSearch.search(0, offerChoices, cap);
    if (fastest.isPresent() && cheapest.isPresent()) {
      add(fastest.get(), cheapest.get());
    }
    for (int price = 2; price < parameters.timePrices() && !sides.isEmpty(); price++) {
      split(next(deadlineS));
    }
  }

  private Side next(double deadlineS) {
    Side next =
        sides.stream()
            .filter(side -> side.spans(deadlineS))
            .findFirst()
            .or(() -> sides.stream().max(Comparator.comparingDouble(Side::savingUsd)))
            .orElseThrow();
    sides.remove(next);
    return next;
  }

  private void split(Side side) {
    double seconds = side.slower().meanS() - side.faster().meanS();
    double price = side.savingUsd() / seconds;
    Optional<ChainCandidate> found = beamSearch.search(price, offerChoices, cap);
    if (found.isEmpty()) {
      return;
    }
    ChainCandidate between = found.get();
    double lineUsd = side.slower().costUsd() + price * side.slower().meanS();
    double valueUsd = between.costUsd() + price * between.meanS();
    if (valueUsd < lineUsd * (1 - parameters.flatCornerRatio())) {
      add(side.faster(), between);
      add(between, side.slower());
    }
  }

  private void add(ChainCandidate faster, ChainCandidate slower) {
    if (slower.meanS() > faster.meanS() && slower.costUsd() < faster.costUsd()) {
      sides.add(new Side(faster, slower));
    }
  }
}
