package io.elastune.cli.wiring;

import io.elastune.cli.world.World;
import io.elastune.core.files.FileProblem;
import io.elastune.core.files.OffersFile;
import io.elastune.core.files.Parsed;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.offer.Quota;
import io.elastune.provisioner.CloudProvider;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** Finds offers: in the file that is named, else those that a kind of cloud knows by itself. */
public final class OfferSource {
  private static final String FIELD = "resources.offers";

  private final World world;

  public OfferSource(World world) {
    this.world = world;
  }

  /** The offers in {@code file}. */
  public Parsed<Loaded<OfferCatalog>> read(Path file) {
    return new TextFiles(world).read(file, OffersFile::parse);
  }

  /**
   * The offers of {@code infra} that need no file.
   *
   * @param asker the file that asks for them, for messages; empty for the command line
   */
  public Parsed<Loaded<OfferCatalog>> builtIn(List<String> infra, String asker) {
    List<FileProblem> problems = new ArrayList<>();
    List<OfferCatalog> catalogs = new ArrayList<>();
    Map<String, List<String>> byKind =
        infra.stream()
            .distinct()
            .collect(
                Collectors.groupingBy(
                    place -> place.split("/", 2)[0], LinkedHashMap::new, Collectors.toList()));
    byKind.forEach(
        (kind, places) ->
            provider(kind)
                .flatMap(provider -> provider.builtInOffers(places))
                .ifPresentOrElse(catalogs::add, () -> problems.add(missing(places, asker))));
    if (!problems.isEmpty()) {
      return new Parsed.Invalid<>(problems);
    }
    OfferCatalog catalog = joined(catalogs);
    String text = OffersFile.write(catalog);
    return new Parsed.Valid<>(new Loaded<>(Path.of(""), catalog.source(), text, catalog));
  }

  private static Optional<CloudProvider> provider(String kind) {
    return ServiceLoader.load(CloudProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(provider -> provider.name().equals(kind))
        .findFirst();
  }

  private static FileProblem missing(List<String> places, String asker) {
    return new FileProblem(
        asker,
        0,
        FIELD,
        "no price of "
            + String.join(", ", places)
            + " is shipped with this version: its offers must be in a file",
        "give resources.offers or --offers FILE");
  }

  private static OfferCatalog joined(List<OfferCatalog> catalogs) {
    if (catalogs.size() == 1) {
      return catalogs.get(0);
    }
    List<Offer> offers = catalogs.stream().flatMap(some -> some.offers().stream()).toList();
    String source = String.join(", ", catalogs.stream().map(OfferCatalog::source).toList());
    List<Quota> quotas = catalogs.stream().flatMap(some -> some.quotas().stream()).toList();
    return new OfferCatalog(source, catalogs.get(0).date(), offers, quotas);
  }
}
