package io.elastune.cli.service;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.json.FileJson;
import io.elastune.cli.text.OfferTable;
import io.elastune.cli.text.QuotaTable;
import io.elastune.core.config.ParseResult;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.inputs.LoadedFile;
import io.elastune.inputs.NoMatchReason;
import io.elastune.inputs.OfferSource;
import java.util.List;
import java.util.Optional;

/** Implements the command {@code offers}: lists the capacity that can be rented. */
public final class OffersService {
  private final CliEnvironment cliEnvironment;
  private final Output output;

  public OffersService(CliEnvironment cliEnvironment, Output output) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
  }

  /**
   * Which offers to list. An empty list or value accepts every offer.
   *
   * @param gpus GPU models, in upper or lower case
   */
  public record Filter(List<String> gpus, List<String> instanceTypes, Optional<Market> market) {
    public Filter {
      gpus = List.copyOf(gpus);
      instanceTypes = List.copyOf(instanceTypes);
    }

    private boolean accepts(Offer offer) {
      return acceptsType(offer) && (market.isEmpty() || offer.market() == market.get());
    }

    private boolean acceptsType(Offer offer) {
      return (gpus.isEmpty() || gpus.stream().anyMatch(offer::hasGpu))
          && (instanceTypes.isEmpty() || instanceTypes.contains(offer.instanceType()));
    }
  }

  /** Lists the matching offers of {@code file}, or of the providers if no file is given. */
  public ExitCode list(Optional<String> file, List<String> infra, Filter filter) {
    OfferSource source = new OfferSource(cliEnvironment);
    LoadedFile<OfferCatalog> all =
        file.map(name -> source.read(cliEnvironment.path(name)))
            .orElseGet(() -> known(source, infra, filter))
            .orThrow();
    List<Offer> offers =
        all.value().offers().stream()
            .filter(filter::accepts)
            .filter(offer -> infra.isEmpty() || infra.stream().anyMatch(at -> isIn(offer, at)))
            .toList();
    show(all.value().restrictTo(offers));
    if (offers.isEmpty()) {
      NoMatchReason.of(
              all.value().offers(), filter::acceptsType, filter.gpus(), filter.instanceTypes())
          .forEach(line -> output.text().println(" " + line));
    }
    return ExitCode.DONE;
  }

  private static ParseResult<LoadedFile<OfferCatalog>> known(
      OfferSource source, List<String> infra, Filter filter) {
    return infra.isEmpty() ? source.allOffers(filter::accepts) : source.providerOffers(infra, "");
  }

  private void show(OfferCatalog catalog) {
    output.text().println("Offers (" + catalog.source() + " " + catalog.date() + "):");
    if (catalog.offers().isEmpty()) {
      output.text().println(" no matching offers");
    } else {
      OfferTable.of(catalog.offers(), catalog).forEach(output.text()::println);
      QuotaTable.of(catalog.quotas()).forEach(output.text()::println);
    }
    catalog.notes().forEach(output.text()::println);
    output.jsonDocument(() -> FileJson.offers(catalog));
  }

  private static boolean isIn(Offer offer, String place) {
    return offer.infra().equals(place) || offer.infra().startsWith(place + "/");
  }
}
