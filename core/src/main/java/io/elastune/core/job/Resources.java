package io.elastune.core.job;

import io.elastune.core.Preconditions;
import io.elastune.core.offer.Offer;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Which offers a job may rent, and how many instances.
 *
 * @param infra allowed locations; each matches an offer's infra exactly or as a prefix that ends
 *     before a {@code /}
 * @param instanceTypes the allowed instance types; all when empty
 * @param gpus the allowed GPU models, in upper or lower case; all when empty
 * @param market the markets on which capacity is bought
 * @param offers a file with offers to use instead of the provider's; relative to the job file
 * @param maxHourlyUsd maximum price of all instances at any time
 * @param discount fraction by which every price is reduced
 * @param controllerUsdPerHour price of the controller's machine during the run
 * @param labels additional tags
 * @param waitForCapacity how long a run retries refused requests before it stops; empty to stop at
 *     the first refusal that leaves no instance
 * @param instances the instances of a fixed cluster, which are held to the end; then also {@code
 *     maxInstances}
 */
public record Resources(
    List<String> infra,
    List<String> instanceTypes,
    List<String> gpus,
    MarketChoice market,
    Optional<String> offers,
    int maxInstances,
    OptionalDouble maxHourlyUsd,
    double discount,
    double controllerUsdPerHour,
    Map<String, String> labels,
    Optional<Duration> waitForCapacity,
    Optional<Integer> instances) {
  public Resources {
    infra = List.copyOf(infra);
    Preconditions.that(!infra.isEmpty(), "resources.infra must name at least one location");
    instanceTypes = List.copyOf(instanceTypes);
    gpus = List.copyOf(gpus);
    Preconditions.atLeast("resources.max_instances", 1, maxInstances);
    int most = maxInstances;
    instances.ifPresent(
        fixed -> {
          Preconditions.atLeast("resources.instances", 1, fixed);
          Preconditions.that(fixed == most, "max_instances must be the instances of the cluster");
        });
    Preconditions.fraction("resources.discount", discount);
    Preconditions.notNegative("resources.controller_usd_per_hour", controllerUsdPerHour);
    labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
  }

  /** Returns these resources with the offers of the providers instead of those of a file. */
  public Resources withoutOffers() {
    return new Resources(
        infra,
        instanceTypes,
        gpus,
        market,
        Optional.empty(),
        maxInstances,
        maxHourlyUsd,
        discount,
        controllerUsdPerHour,
        labels,
        waitForCapacity,
        instances);
  }

  /** Returns whether the job allows {@code offer}. */
  public boolean allows(Offer offer) {
    return market.allows(offer.market()) && allowsInAnyMarket(offer);
  }

  /** Returns whether the job allows {@code offer} except perhaps for its market. */
  public boolean allowsInAnyMarket(Offer offer) {
    return (instanceTypes.isEmpty() || instanceTypes.contains(offer.instanceType()))
        && (gpus.isEmpty() || gpus.stream().anyMatch(offer::hasGpu))
        && infra.stream()
            .anyMatch(
                place -> offer.infra().equals(place) || offer.infra().startsWith(place + "/"));
  }
}
