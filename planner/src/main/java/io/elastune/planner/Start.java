package io.elastune.planner;

import io.elastune.core.offer.Offer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The instances that a chain holds at its start: none, or, for a re-plan, those that it holds now.
 * Those that the first group does not need are released at once, those that become ready last
 * first.
 */
final class Start {
  /** The start of a job that has not begun. */
  static final Start NOTHING = new Start(Held.NOTHING, Held.NOTHING);

  private final Held all;
  private final Held none;

  private Start(Held all, Held none) {
    this.all = all;
    this.none = none;
  }

  /**
   * Returns the start of a chain of a run in progress.
   *
   * @param settledUsd dollars of ended leases that count for this chain
   * @param offers of which the chain may hold one; if that one is not on the menu, all its
   *     instances are released
   */
  static Start of(
      Standing.Chain chain, double atS, double settledUsd, List<Offer> offers, Menu menu) {
    List<Standing.Instance> held =
        chain.held().stream()
            .sorted(Comparator.comparingDouble(Standing.Instance::readyS))
            .toList();
    if (held.isEmpty()) {
      Held nothing = Held.none(atS, 0, settledUsd);
      return new Start(nothing, nothing);
    }
    Offer offer = offer(held.get(0).offer(), offers);
    double billsUsd =
        held.stream()
            .mapToDouble(one -> Rental.leaseUsd(offer, one.runningS(), atS, one.usedS()))
            .sum();
    Held none = Held.none(atS, 0, settledUsd + billsUsd);
    return menu.rentals().stream()
        .filter(rental -> rental.offer().equals(offer))
        .findFirst()
        .map(rental -> new Start(held(rental, held, atS, settledUsd), none))
        .orElseGet(() -> new Start(none, none));
  }

  private static Offer offer(String name, List<Offer> offers) {
    return offers.stream()
        .filter(offer -> offer.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "the chain holds instances of an unknown offer: " + name));
  }

  private static Held held(
      Rental rental, List<Standing.Instance> held, double atS, double settledUsd) {
    int[] ones = new int[held.size()];
    Arrays.fill(ones, 1);
    return new Held(
        atS,
        0,
        settledUsd,
        rental.index(),
        ones,
        held.stream().mapToDouble(Standing.Instance::runningS).toArray(),
        held.stream().mapToDouble(Standing.Instance::readyS).toArray(),
        held.stream().mapToDouble(Standing.Instance::usedS).toArray());
  }

  /** The state with all instances. */
  Held all() {
    return all;
  }

  /** The state after all instances were released. */
  Held none() {
    return none;
  }

  /** The state for a first group that needs {@code instances} of {@code rental}. */
  Held forGroup(Rental rental, int instances) {
    if (all.rental() != rental.index()) {
      return none;
    }
    return instances >= all.blocks() ? all : first(rental, instances);
  }

  /** The state with the instances that are ready first; each block is one instance. */
  private Held first(Rental rental, int instances) {
    double usd = all.costUsd();
    for (int i = instances; i < all.blocks(); i++) {
      usd += rental.leaseUsd(all.runningS()[i], all.timeS(), all.usedS()[i]);
    }
    return new Held(
        all.timeS(),
        0,
        usd,
        rental.index(),
        Arrays.copyOf(all.counts(), instances),
        Arrays.copyOf(all.runningS(), instances),
        Arrays.copyOf(all.readyS(), instances),
        Arrays.copyOf(all.usedS(), instances));
  }
}
