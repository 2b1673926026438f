package io.elastune.planner;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds corners of the convex hull of the frontier with repeated beam searches ({@link Sweep}). */
final class Hull {
  private final Sweep sweep;
  private final List<Rental> rentals;
  private final int cap;
  private final SearchParameters.Beam parameters;
  private final List<Side> sides = new ArrayList<>();

  /** Two adjacent corners, between which there may be more. */
  private record Side(Draft faster, Draft slower) {
    double savingUsd() {
      return faster.costUsd() - slower.costUsd();
    }

    boolean spans(double deadlineS) {
      return faster.completionS() <= deadlineS && slower.completionS() > deadlineS;
    }
  }

  Hull(Sweep sweep, List<Rental> rentals, int cap, SearchParameters.Beam parameters) {
    this.parameters = parameters;
    this.sweep = sweep;
    this.rentals = rentals;
    this.cap = cap;
  }

  /** Searches for corners, first those around a deadline. */
  void explore(double deadlineS) {
    double highestUsdPerS =
        rentals.stream().mapToDouble(r -> r.usdPerS() * r.most()).max().orElse(0);
    Optional<Draft> fastest =
        sweep.at(parameters.fastestPriceFactor() * highestUsdPerS, rentals, cap);
    Optional<Draft> cheapest = sweep.at(0, rentals, cap);
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
    Optional<Draft> found = sweep.at(price, rentals, cap);
    if (found.isEmpty()) {
      return;
    }
    Draft between = found.get();
    double lineUsd = side.slower().costUsd() + price * side.slower().meanS();
    double valueUsd = between.costUsd() + price * between.meanS();
    if (valueUsd < lineUsd * (1 - parameters.flatCornerRatio())) {
      add(side.faster(), between);
      add(between, side.slower());
    }
  }

  private void add(Draft faster, Draft slower) {
    if (slower.meanS() > faster.meanS() && slower.costUsd() < faster.costUsd()) {
      sides.add(new Side(faster, slower));
    }
  }
}
