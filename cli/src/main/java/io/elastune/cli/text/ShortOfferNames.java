package io.elastune.cli.text;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Problem;

/** Shortens the names of offers for the screen. */
final class ShortOfferNames {
  private ShortOfferNames() {}

  /** Returns the instance type, or the full name of the offer if the type is ambiguous. */
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
