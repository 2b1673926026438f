package io.elastune.inputs;

import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.provisioner.CloudProviders;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Explains why no offer matches: unknown GPU models, and types that are sold otherwise. */
public final class NoMatchReason {
  private NoMatchReason() {}

  /**
   * Returns the reasons.
   *
   * @param offers all offers, of which none matches
   * @param matchesOtherwise accepts an offer that matches except for its market
   * @param gpus the requested GPU models; empty for any
   * @param instanceTypes the requested instance types; empty for any
   */
  public static List<String> of(
      List<Offer> offers,
      Predicate<Offer> matchesOtherwise,
      List<String> gpus,
      List<String> instanceTypes) {
    List<String> reasons = new ArrayList<>();
    List<String> unknown =
        gpus.stream().filter(gpu -> offers.stream().noneMatch(o -> o.hasGpu(gpu))).toList();
    if (!unknown.isEmpty()) {
      reasons.add(
          "no offer has the GPU "
              + String.join(", ", unknown)
              + "; known: "
              + String.join(
                  ", ",
                  offers.stream().map(Offer::gpu).collect(Collectors.toCollection(TreeSet::new))));
    }
    for (Market market : Market.values()) {
      TreeSet<String> there =
          offers.stream()
              .filter(matchesOtherwise)
              .filter(offer -> offer.market() == market)
              .map(Offer::instanceType)
              .collect(Collectors.toCollection(TreeSet::new));
      if (!there.isEmpty()) {
        reasons.add("offered only " + word(market) + ": " + String.join(", ", there));
      }
    }
    instanceTypes.forEach(type -> restriction(type).ifPresent(reasons::add));
    return reasons;
  }

  private static String word(Market market) {
    return market == Market.SPOT ? "on spot" : "on demand";
  }

  private static Optional<String> restriction(String type) {
    return CloudProviders.all().stream()
        .map(provider -> provider.restrictedSales(type))
        .filter(sales -> !sales.isEmpty())
        .findFirst()
        .map(sales -> type + " is not sold on demand, only as: " + String.join(", ", sales));
  }
}
