package io.elastune.provisioner.gcp.offers;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.remote.CsvResource;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Determines in which markets Google sells a machine type. Some types are sold only by reservation,
 * on spot or with flex-start, although their parts have on-demand prices.
 */
final class SoldMarkets {
  private static final Set<String> ALL = Set.of(Market.ON_DEMAND.word(), Market.SPOT.word());

  private static final List<Rule> RULES =
      CsvResource.required(SoldMarkets.class, "sold.csv").stream()
          .map(cells -> new Rule(cells.get(0), Set.of(cells.get(1).split(" ", -1))))
          .toList();

  /**
   * @param markets names of markets, also of those that Elastune does not support
   */
  private record Rule(String typePrefix, Set<String> markets) {}

  private SoldMarkets() {}

  static boolean contains(String machineType, Market market) {
    return rule(machineType).map(Rule::markets).orElse(ALL).contains(market.word());
  }

  /** Returns the names of the markets of a type with restrictions; empty for all others. */
  static List<String> restricted(String machineType) {
    return rule(machineType).map(Rule::markets).orElse(Set.of()).stream().sorted().toList();
  }

  private static Optional<Rule> rule(String machineType) {
    return RULES.stream().filter(rule -> machineType.startsWith(rule.typePrefix())).findFirst();
  }
}
