package io.elastune.provisioner.gcp.offers;

import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.offer.Quota;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.gcp.model.GpuFamilyQuotas;
import io.elastune.provisioner.gcp.model.ProjectApi;
import io.elastune.provisioner.remote.Location;
import io.elastune.provisioner.remote.NodeCharges;
import io.elastune.provisioner.remote.ParallelCalls;
import io.elastune.provisioner.remote.PartialQuery;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Creates offers from live data of Google. Compute Engine provides types, zones and quotas, but no
 * prices. Prices come from the billing catalog if there is an API key for it, otherwise from the
 * shipped table. A part that fails is replaced by the shipped table or omitted, with a note in the
 * catalog; docs/gcp.md describes how.
 */
public final class LiveOffers {
  private static final String SOURCE = "gcp, live types and quotas, shipped prices";
  private static final String CATALOG_SOURCE = "gcp billing catalog";

  private final ProjectApi projectApi;
  private final Supplier<GpuFamilyQuotas> families;
  private final Optional<CachedPrices> catalog;
  private final Function<String, NodeCharges> charges;

  /**
   * Creates a query.
   *
   * @param families returns the quotas that Compute Engine does not report
   * @param catalog current prices, if there is an API key for them
   * @param charges returns what nodes of a region use besides their type
   */
  public LiveOffers(
      ProjectApi projectApi,
      Supplier<GpuFamilyQuotas> families,
      Optional<CachedPrices> catalog,
      Function<String, NodeCharges> charges) {
    this.projectApi = projectApi;
    this.families = families;
    this.catalog = catalog;
    this.charges = charges;
  }

  /** The answers of all queries, each empty if it failed. */
  private record Answers(
      List<RegionQuery> regions,
      Optional<Map<String, ProjectApi.QuotaLimit>> project,
      Optional<GpuFamilyQuotas> families,
      Optional<CachedPrices.DatedPrices> prices) {}

  /**
   * Returns the offers in these places.
   *
   * @throws CloudException the first failure if Compute Engine answered no query, or if there is no
   *     price for any of the places
   */
  public OfferCatalog in(Collection<Location> locations) {
    PartialQuery compute = new PartialQuery();
    PartialQuery billing = new PartialQuery();
    PartialQuery cloudQuotas = new PartialQuery();
    Answers answers = ask(locations, compute, billing, cloudQuotas);
    if (!compute.isAnswered() && compute.failure().isPresent()) {
      throw compute.failure().get();
    }
    OfferCollector collector = new OfferCollector(billing);
    for (Location location : locations) {
      collect(location, answers, collector);
    }
    List<String> notes = new ArrayList<>(billing.notes());
    notes.addAll(compute.notes());
    if (answers.regions().stream()
        .anyMatch(region -> !LiveQuotas.ofFamilies(region, collector.offers()).isEmpty())) {
      notes.addAll(cloudQuotas.notes());
    }
    if (collector.offers().isEmpty()) {
      notes.add(0, "there is no price for " + locations.iterator().next().infra());
      throw new CloudException(new CloudFailure.Invalid(String.join("; ", notes)));
    }
    return catalog(answers, collector, notes);
  }

  private Answers ask(
      Collection<Location> locations,
      PartialQuery compute,
      PartialQuery billing,
      PartialQuery cloudQuotas) {
    List<RegionQuery.Parts> regions =
        locations.stream()
            .map(Location::region)
            .distinct()
            .sorted()
            .map(name -> region(name, compute))
            .toList();
    PartialQuery.Part<Map<String, ProjectApi.QuotaLimit>> project =
        compute.part(
            "Quotas of the project", "plans do not take account of them", projectApi::quotas);
    PartialQuery.Part<GpuFamilyQuotas> ofFamilies =
        cloudQuotas.part(
            "Quotas of H100 and newer GPUs", "plans do not take account of them", families);
    Optional<PartialQuery.Part<CachedPrices.DatedPrices>> prices =
        catalog.map(
            some ->
                billing.part(
                    "Google's catalog prices",
                    "shipped prices are used, marked ~ with their date",
                    some::get));
    List<Runnable> all = new ArrayList<>();
    regions.forEach(region -> all.addAll(List.of(region.types(), region.quotas())));
    all.add(project);
    all.add(ofFamilies);
    prices.ifPresent(all::add);
    ParallelCalls.run(all);
    return new Answers(
        regions.stream().map(RegionQuery.Parts::answers).toList(),
        project.answer(),
        ofFamilies.answer(),
        prices.flatMap(PartialQuery.Part::answer));
  }

  private RegionQuery.Parts region(String name, PartialQuery compute) {
    return RegionQuery.parts(
        name,
        projectApi,
        catalog.isPresent() ? projectApi::gpuTypes : projectApi::builtInTypes,
        compute);
  }

  private void collect(Location location, Answers answers, OfferCollector collector) {
    RegionQuery region =
        answers.regions().stream()
            .filter(some -> some.region().equals(location.region()))
            .findFirst()
            .orElseThrow();
    NodeCharges node = charges.apply(location.region());
    if (answers.prices().isPresent() && region.types().isPresent()) {
      ComponentPrices prices = answers.prices().get().prices();
      collector.addAtCatalogPrices(location, region.typesIn(location), prices, node);
      return;
    }
    collector.addAtShippedPrices(location, region, node);
    if (catalog.isPresent()) {
      collector.noteUnpriced(location.region(), region.typesIn(location));
    }
  }

  private OfferCatalog catalog(Answers answers, OfferCollector collector, List<String> notes) {
    List<Offer> offers = collector.offers();
    List<Quota> quotas = new ArrayList<>();
    for (RegionQuery region : answers.regions()) {
      quotas.addAll(LiveQuotas.ofRegion(region, offers));
      answers
          .families()
          .ifPresent(some -> quotas.addAll(LiveQuotas.ofFamilies(region, offers, some)));
    }
    answers.project().flatMap(all -> LiveQuotas.ofProject(all, offers)).ifPresent(quotas::add);
    Map<String, String> dates = collector.shippedDates();
    if (answers.prices().isPresent()) {
      String date = answers.prices().get().retrievedAt().toString();
      return new OfferCatalog(CATALOG_SOURCE, date, offers, quotas, notes, dates);
    }
    String date = dates.values().stream().min(String::compareTo).orElseThrow();
    return new OfferCatalog(
        SOURCE, date, offers, quotas, notes, catalog.isPresent() ? dates : Map.of());
  }
}
