package io.elastune.inputs;

import io.elastune.core.config.FileProblem;
import io.elastune.core.config.OffersFile;
import io.elastune.core.config.ParseResult;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.offer.Quota;
import io.elastune.provisioner.CloudAccount;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudProvider;
import io.elastune.provisioner.CloudProviders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Loads offers from a file or from the cloud providers. */
public final class OfferSource {
  static final String FIELD = "resources.offers";

  private final InputEnvironment environment;

  public OfferSource(InputEnvironment environment) {
    this.environment = environment;
  }

  /** Reads the offers in {@code file}. */
  public ParseResult<LoadedFile<OfferCatalog>> read(Path file) {
    return new TextFileReader(environment).read(file, OffersFile::parse);
  }

  /**
   * Returns the offers in {@code infra} without a file: live offers of the clouds for which the
   * user has set up an account, otherwise those of the shipped tables.
   *
   * @param fileName the file to name in messages; empty for the command line
   */
  public ParseResult<LoadedFile<OfferCatalog>> providerOffers(List<String> infra, String fileName) {
    List<FileProblem> problems = new ArrayList<>();
    List<OfferCatalog> catalogs = new ArrayList<>();
    Map<String, List<String>> byProvider =
        infra.stream()
            .distinct()
            .collect(
                Collectors.groupingBy(
                    place -> place.split("/", 2)[0], LinkedHashMap::new, Collectors.toList()));
    byProvider.forEach(
        (name, places) ->
            CloudProviders.named(name)
                .flatMap(provider -> offers(provider, places))
                .ifPresentOrElse(catalogs::add, () -> problems.add(missing(places, fileName))));
    return problems.isEmpty() ? loaded(catalogs) : new ParseResult.InvalidFile<>(problems);
  }

  /**
   * Adds the live offers of places for which an offers file has none, if their provider has no
   * others: the offers file of a job is then not an obstacle to another cluster.
   */
  public LoadedFile<OfferCatalog> withLiveOffers(
      LoadedFile<OfferCatalog> file, List<String> places) {
    List<OfferCatalog> catalogs = new ArrayList<>(List.of(file.value()));
    places.stream()
        .distinct()
        .filter(place -> file.value().offers().stream().noneMatch(o -> o.infra().equals(place)))
        .forEach(
            place ->
                CloudProviders.ofLocation(place)
                    .filter(CloudProvider::hasLiveOffersOnly)
                    .flatMap(provider -> offers(provider, List.of(place)))
                    .ifPresent(catalogs::add));
    return catalogs.size() == 1 ? file : loaded(catalogs).orThrow();
  }

  /** Returns the offers of all providers that match {@code wanted}; all offers if none match. */
  public ParseResult<LoadedFile<OfferCatalog>> allOffers(Predicate<Offer> wanted) {
    List<OfferCatalog> catalogs =
        CloudProviders.all().stream()
            .sorted(Comparator.comparing(CloudProvider::name).reversed())
            .flatMap(provider -> offers(provider, List.of(provider.name())).stream())
            .toList();
    List<OfferCatalog> some =
        catalogs.stream()
            .map(all -> all.restrictTo(all.offers().stream().filter(wanted).toList()))
            .filter(left -> !left.offers().isEmpty())
            .toList();
    return loaded(some.isEmpty() ? catalogs : some);
  }

  private static ParseResult<LoadedFile<OfferCatalog>> loaded(List<OfferCatalog> catalogs) {
    OfferCatalog catalog = joined(catalogs);
    return new ParseResult.ValidFile<>(
        new LoadedFile<>(Path.of(""), catalog.source(), () -> OffersFile.write(catalog), catalog));
  }

  private Optional<OfferCatalog> offers(CloudProvider provider, List<String> places) {
    if (provider.hasLiveOffersOnly()) {
      return places.equals(List.of(provider.name())) && !isConfigured(provider)
          ? Optional.empty()
          : provider
              .account(environment.cloudContext())
              .map(account -> onlyLive(account, provider.name(), places));
    }
    Optional<CloudAccount> account =
        Files.exists(environment.cloudContext().settings())
            ? provider.account(environment.cloudContext())
            : Optional.empty();
    boolean named = !places.equals(List.of(provider.name()));
    Optional<String> absent =
        account
            .filter(some -> !named && some.isConfigured())
            .flatMap(CloudAccount::unavailableReason);
    absent.ifPresent(this::reportUnavailable);
    return account
        .filter(some -> named || some.unavailableReason().isEmpty())
        .flatMap(some -> live(some, provider.name(), places))
        .or(() -> provider.builtInOffers(places));
  }

  private boolean isConfigured(CloudProvider provider) {
    return provider
        .account(environment.cloudContext())
        .filter(
            account -> {
              try (account) {
                return account.isConfigured();
              }
            })
        .isPresent();
  }

  private static OfferCatalog onlyLive(CloudAccount account, String provider, List<String> places) {
    try (account) {
      return account.offers(places.stream().filter(place -> !place.equals(provider)).toList());
    }
  }

  private Optional<OfferCatalog> live(CloudAccount account, String provider, List<String> places) {
    try (account) {
      return Optional.of(
          account.offers(places.stream().filter(place -> !place.equals(provider)).toList()));
    } catch (CloudException e) {
      reportUnavailable(e.failure().message());
      return Optional.empty();
    }
  }

  private void reportUnavailable(String reason) {
    environment.report("Live prices are unavailable: " + reason);
  }

  private FileProblem missing(List<String> places, String fileName) {
    return environment
        .missingExtra(places.get(0).split("/", 2)[0])
        .map(
            extra ->
                new FileProblem(fileName, 0, "resources.infra", extra.reason(), extra.remedy()))
        .orElseGet(() -> noPrices(places, fileName));
  }

  private static FileProblem noPrices(List<String> places, String fileName) {
    return new FileProblem(
        fileName,
        0,
        FIELD,
        "this version of Elastune has no shipped prices for " + String.join(", ", places),
        "specify an offers file with resources.offers or --offers FILE");
  }

  private static OfferCatalog joined(List<OfferCatalog> catalogs) {
    if (catalogs.size() == 1) {
      return catalogs.get(0);
    }
    List<Offer> offers = catalogs.stream().flatMap(some -> some.offers().stream()).toList();
    List<Quota> quotas = catalogs.stream().flatMap(some -> some.quotas().stream()).toList();
    List<String> notes = catalogs.stream().flatMap(some -> some.notes().stream()).toList();
    Map<String, String> priceDates = new LinkedHashMap<>();
    catalogs.forEach(some -> priceDates.putAll(some.priceDates()));
    List<OfferCatalog> byAge =
        catalogs.stream().sorted(Comparator.comparing(OfferCatalog::date).reversed()).toList();
    String oldest = byAge.get(byAge.size() - 1).date();
    return new OfferCatalog(sources(byAge), oldest, offers, quotas, notes, priceDates);
  }

  /**
   * Joins the sources, newest first, each with its date. The oldest has none, because its date is
   * the date of the joined catalog.
   */
  private static String sources(List<OfferCatalog> byAge) {
    String oldest = byAge.get(byAge.size() - 1).date();
    return byAge.stream()
        .map(some -> some.source() + (some.date().equals(oldest) ? "" : " " + some.date()))
        .distinct()
        .collect(Collectors.joining("; "));
  }
}
