package io.elastune.cli.action;

import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.json.FileJson;
import io.elastune.cli.screen.OfferTable;
import io.elastune.cli.screen.QuotaTable;
import io.elastune.cli.wiring.Loaded;
import io.elastune.cli.wiring.OfferSource;
import io.elastune.cli.world.Output;
import io.elastune.cli.world.World;
import io.elastune.core.config.ParseResult;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import java.util.List;
import java.util.Optional;

/** Implements the command {@code offers}: lists the capacity that can be rented. */
public final class Offering {
  private final World world;
  private final Output output;

  public Offering(World world, Output output) {
    this.world = world;
    this.output = output;
  }

  /** Lists the matching offers of {@code file}, or of the providers if no file is given. */
  public ExitCode list(Optional<String> file, List<String> infra, Optional<String> gpu) {
    OfferSource source = new OfferSource(world);
    Loaded<OfferCatalog> all =
        file.map(name -> source.read(world.path(name)))
            .orElseGet(() -> known(source, infra, gpu))
            .orThrow();
    List<Offer> offers =
        all.value().offers().stream()
            .filter(offer -> gpu.isEmpty() || offer.gpu().equals(gpu.get()))
            .filter(offer -> infra.isEmpty() || infra.stream().anyMatch(at -> isIn(offer, at)))
            .toList();
    show(all.value().restrictTo(offers));
    return ExitCode.DONE;
  }

  private static ParseResult<Loaded<OfferCatalog>> known(
      OfferSource source, List<String> infra, Optional<String> gpu) {
    return infra.isEmpty()
        ? source.everywhere(offer -> gpu.isEmpty() || offer.gpu().equals(gpu.get()))
        : source.known(infra, "");
  }

  private void show(OfferCatalog catalog) {
    output.people().println("Offers (" + catalog.source() + " " + catalog.date() + "):");
    if (catalog.offers().isEmpty()) {
      output.people().println(" no matching offers");
    } else {
      OfferTable.of(catalog.offers()).forEach(output.people()::println);
      QuotaTable.of(catalog.quotas()).forEach(output.people()::println);
    }
    output.document(() -> FileJson.offers(catalog));
  }

  private static boolean isIn(Offer offer, String place) {
    return offer.infra().equals(place) || offer.infra().startsWith(place + "/");
  }
}
