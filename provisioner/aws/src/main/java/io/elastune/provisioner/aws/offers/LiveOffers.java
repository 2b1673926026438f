package io.elastune.provisioner.aws.offers;

import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.offer.Quota;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.aws.model.AccountApi;
import io.elastune.provisioner.aws.model.PriceList;
import io.elastune.provisioner.remote.Location;
import io.elastune.provisioner.remote.NodeCharges;
import io.elastune.provisioner.remote.ParallelCalls;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Queries live offers from AWS: types and zones, on-demand prices by region, spot prices by zone,
 * and the account's quotas. Queueing and boot times are assumed. A part that fails is replaced by
 * the shipped table or omitted, with a note in the catalog; docs/aws.md describes how.
 */
public final class LiveOffers {
  private static final String SOURCE = "aws price list";

  private final Function<String, PriceList> prices;
  private final Function<String, AccountApi> accountApi;
  private final Function<String, NodeCharges> charges;

  /**
   * Creates a query.
   *
   * @param prices creates the price client of a region
   * @param accountApi creates the client for the quotas of a region
   * @param charges returns what nodes of a region use besides their type
   */
  public LiveOffers(
      Function<String, PriceList> prices,
      Function<String, AccountApi> accountApi,
      Function<String, NodeCharges> charges) {
    this.prices = prices;
    this.accountApi = accountApi;
    this.charges = charges;
  }

  /**
   * Returns the current offers in these places; {@code now} is their date.
   *
   * @throws CloudException the first failure, if no query of any region was answered
   */
  public OfferCatalog in(Collection<Location> locations, Instant now) {
    Map<String, List<Location>> byRegion =
        locations.stream()
            .collect(Collectors.groupingBy(Location::region, TreeMap::new, Collectors.toList()));
    List<PricedRegion> regions =
        ParallelCalls.map(
            List.copyOf(byRegion.entrySet()), some -> ask(some.getKey(), some.getValue()));
    requireAnswer(regions);
    List<Offer> offers = new ArrayList<>();
    List<Quota> quotas = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    Map<String, String> dates = new TreeMap<>();
    for (PricedRegion region : regions) {
      offers.addAll(region.offers().offers());
      quotas.addAll(region.quotas());
      notes.addAll(region.offers().query().parts().notes());
      dates.putAll(region.offers().shippedDates());
    }
    String date = now.truncatedTo(ChronoUnit.SECONDS).toString();
    return new OfferCatalog(SOURCE, date, offers, quotas, notes, dates);
  }

  private record PricedRegion(RegionOffers offers, List<Quota> quotas) {}

  private PricedRegion ask(String region, List<Location> locations) {
    RegionQuery query = RegionQuery.send(region, prices.apply(region));
    RegionOffers found = new RegionOffers(query, locations, charges.apply(region));
    if (!query.isAnswered()) {
      return new PricedRegion(found, List.of());
    }
    try (AccountApi account = accountApi.apply(region)) {
      return new PricedRegion(
          found,
          new RegionQuotas(region, account, query.parts()).of(found.offers(), query.types()));
    }
  }

  private static void requireAnswer(List<PricedRegion> regions) {
    List<RegionQuery> queries = regions.stream().map(some -> some.offers().query()).toList();
    if (queries.stream().noneMatch(RegionQuery::isAnswered)) {
      queries.stream()
          .flatMap(query -> query.parts().failure().stream())
          .findFirst()
          .ifPresent(
              failure -> {
                throw failure;
              });
    }
  }
}
