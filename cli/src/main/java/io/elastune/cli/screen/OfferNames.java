package io.elastune.cli.screen;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Problem;

/** Names of offers as they fit on a screen. */
final class OfferNames {
  private OfferNames() {}

  /** The instance type, or the offer's whole name if that is not enough to tell it apart. */
  static String shortest(Problem problem, String name) {
    Offer offer =
        problem.offer(name).orElseThrow(() -> new IllegalStateException("no offer " + name));
    long namesakes =
        problem.offers().stream()
            .filter(other -> other.instanceType().equals(offer.instanceType()))
            .count();
    return namesakes == 1 ? offer.instanceType() : name;
  }
}
