package io.elastune.core.job;

import io.elastune.core.Check;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What may be rented.
 *
 * @param infra where: each a prefix of an offer's infra at a {@code /}
 * @param instanceTypes the types allowed; all when empty
 * @param offers a file of offers instead of the provider's; relative to the job file
 * @param maxHourlyUsd price of all instances at any time
 * @param discount fraction taken off every price
 * @param controllerUsdPerHour price of the controller's own machine while the run lasts
 * @param labels further tags
 */
public record Resources(
    List<String> infra,
    List<String> instanceTypes,
    Market market,
    Optional<String> offers,
    int maxInstances,
    OptionalDouble maxHourlyUsd,
    double discount,
    double controllerUsdPerHour,
    Map<String, String> labels) {
  public Resources {
    infra = List.copyOf(infra);
    Check.that(!infra.isEmpty(), "resources.infra must name at least one place");
    instanceTypes = List.copyOf(instanceTypes);
    Check.atLeast("resources.max_instances", 1, maxInstances);
    Check.fraction("resources.discount", discount);
    Check.notNegative("resources.controller_usd_per_hour", controllerUsdPerHour);
    labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
  }

  /** Whether the user allows {@code offer}. */
  public boolean allows(Offer offer) {
    return offer.market() == market
        && (instanceTypes.isEmpty() || instanceTypes.contains(offer.instanceType()))
        && infra.stream()
            .anyMatch(
                place -> offer.infra().equals(place) || offer.infra().startsWith(place + "/"));
  }
}
