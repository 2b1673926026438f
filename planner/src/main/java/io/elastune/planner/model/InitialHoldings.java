package io.elastune.planner.model;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.RentedInstance;
import io.elastune.planner.api.RunSnapshot;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The instances that a chain holds at its start: none, or, for a re-plan, those that it holds now.
 * Those that the first group does not need are released at once, those that become ready last
 * first.
 */
public final class InitialHoldings {
  /** The start of a job that has not begun. */
  public static final InitialHoldings NOTHING =
      new InitialHoldings(HeldInstances.NOTHING, HeldInstances.NOTHING);

  private final HeldInstances all;
  private final HeldInstances none;

  private InitialHoldings(HeldInstances all, HeldInstances none) {
    this.all = all;
    this.none = none;
  }

  /**
   * Returns the start of a chain of a run in progress.
   *
   * @param settledUsd dollars of ended leases that count for this chain
   * @param offers of which the chain may hold one; if that one is not in the choice set, all its
   *     instances are released
   */
  public static InitialHoldings of(
      RunSnapshot.ChainSnapshot chainSnapshot,
      double atS,
      double settledUsd,
      List<Offer> offers,
      ChoiceSet choiceSet) {
    List<RentedInstance> held =
        chainSnapshot.held().stream()
            .sorted(Comparator.comparingDouble(RentedInstance::readyS))
            .toList();
    if (held.isEmpty()) {
      HeldInstances nothing = HeldInstances.none(atS, chainSnapshot.fromS2(), settledUsd);
      return new InitialHoldings(nothing, nothing);
    }
    Offer offer = offer(held.get(0).offer(), offers);
    double billsUsd =
        held.stream()
            .mapToDouble(one -> OfferChoice.leaseUsd(offer, one.runningS(), atS, one.usedS()))
            .sum();
    HeldInstances none = HeldInstances.none(atS, chainSnapshot.fromS2(), settledUsd + billsUsd);
    return choiceSet.offerChoices().stream()
        .filter(offerChoice -> offerChoice.offer().equals(offer))
        .findFirst()
        .map(
            offerChoice ->
                new InitialHoldings(
                    held(offerChoice, held, atS, chainSnapshot.fromS2(), settledUsd), none))
        .orElseGet(() -> new InitialHoldings(none, none));
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

  private static HeldInstances held(
      OfferChoice offerChoice,
      List<RentedInstance> held,
      double atS,
      double atS2,
      double settledUsd) {
    int[] ones = new int[held.size()];
    Arrays.fill(ones, 1);
    return new HeldInstances(
        atS,
        atS2,
        settledUsd,
        offerChoice.index(),
        ones,
        held.stream().mapToDouble(RentedInstance::runningS).toArray(),
        held.stream().mapToDouble(RentedInstance::readyS).toArray(),
        held.stream().mapToDouble(RentedInstance::usedS).toArray());
  }

  /** The state with all instances. */
  public HeldInstances allHeld() {
    return all;
  }

  /** The state after all instances were released. */
  public HeldInstances noneHeld() {
    return none;
  }

  /** The state for a first group that needs {@code instances} of {@code offerChoice}. */
  public HeldInstances forGroup(OfferChoice offerChoice, int instances) {
    if (all.offerChoice() != offerChoice.index()) {
      return none;
    }
    return instances >= all.blocks() ? all : first(offerChoice, instances);
  }

  /** The state with the instances that are ready first; each block is one instance. */
  private HeldInstances first(OfferChoice offerChoice, int instances) {
    double usd = all.costUsd();
    for (int i = instances; i < all.blocks(); i++) {
      usd += offerChoice.leaseUsd(all.runningS()[i], all.timeS(), all.usedS()[i]);
    }
    return new HeldInstances(
        all.timeS(),
        all.varianceS2(),
        usd,
        offerChoice.index(),
        Arrays.copyOf(all.counts(), instances),
        Arrays.copyOf(all.runningS(), instances),
        Arrays.copyOf(all.readyS(), instances),
        Arrays.copyOf(all.usedS(), instances));
  }
}
