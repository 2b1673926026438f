package io.elastune.inputs;

import io.elastune.core.config.OffersFile;
import io.elastune.core.faults.DefaultFaultRates;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.profiler.History;
import io.elastune.profiler.history.FaultExposure;
import io.elastune.profiler.history.HistoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Adds fault rates to offers that come from a cloud provider and not from a file: the shipped
 * rates, combined with the losses of the user's own instances.
 */
final class CloudFaultRates {
  private static final Set<String> PROVIDERS = Set.of("aws", "gcp");

  private static final String OWN_RUNS = "own runs";

  private final InputEnvironment environment;

  CloudFaultRates(InputEnvironment environment) {
    this.environment = environment;
  }

  /** Returns the catalog with the rates of all offers of cloud providers that state none. */
  LoadedFile<OfferCatalog> addTo(LoadedFile<OfferCatalog> loaded) {
    OfferCatalog catalog = loaded.value();
    if (catalog.offers().stream().noneMatch(CloudFaultRates::lacksRates)) {
      return loaded;
    }
    List<String> notes = new ArrayList<>(catalog.notes());
    Map<String, FaultExposure> exposures = exposures(notes);
    List<Offer> offers =
        catalog.offers().stream()
            .map(offer -> lacksRates(offer) ? offer.withFaults(rates(offer, exposures)) : offer)
            .toList();
    OfferCatalog complete =
        new OfferCatalog(
            catalog.source(),
            catalog.date(),
            offers,
            catalog.quotas(),
            notes,
            catalog.priceDates());
    return new LoadedFile<>(
        loaded.path(), loaded.name(), () -> OffersFile.write(complete), complete);
  }

  private static boolean lacksRates(Offer offer) {
    return offer.faults().isNone() && isOfCloud(offer);
  }

  /** Returns whether a cloud provider rents an offer. */
  static boolean isOfCloud(Offer offer) {
    return PROVIDERS.contains(offer.provider());
  }

  private Map<String, FaultExposure> exposures(List<String> notes) {
    try {
      return new History(environment.home(), environment.clock())
          .exposures().stream()
              .collect(Collectors.toMap(FaultExposure::offer, Function.identity()));
    } catch (HistoryException e) {
      notes.add("fault rates are the shipped ones, without earlier runs: " + e.getMessage());
      return Map.of();
    }
  }

  /** Returns the shipped rates of an offer, combined with its losses in {@code exposures}. */
  static InstanceFaultRates rates(Offer offer, Map<String, FaultExposure> exposures) {
    InstanceFaultRates shipped =
        DefaultFaultRates.instances(offer.provider(), offer.market() == Market.SPOT);
    FaultExposure seen = exposures.get(offer.name());
    return seen == null
        ? shipped
        : shipped
            .withObserved(seen.failed(), seen.preempted(), seen.instanceHours(), OWN_RUNS)
            .withObservedBoots(seen.notReady(), seen.ready() + seen.notReady(), OWN_RUNS);
  }
}
