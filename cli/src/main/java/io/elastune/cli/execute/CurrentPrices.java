package io.elastune.cli.execute;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.text.JobCommand;
import io.elastune.core.job.Job;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.offer.PriceKind;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.inputs.OfferSource;
import io.elastune.inputs.StalenessCheck;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Looks up the current prices of the offers of a run. Notional prices do not change. */
final class CurrentPrices {
  private final CliEnvironment cliEnvironment;
  private final String jobFile;
  private final Path jobFolder;
  private final Job job;

  CurrentPrices(CliEnvironment cliEnvironment, String jobFile, Path jobFolder, Job job) {
    this.cliEnvironment = cliEnvironment;
    this.jobFile = jobFile;
    this.jobFolder = jobFolder;
    this.job = job;
  }

  /**
   * Returns the run's offers at current prices.
   *
   * @param needed the offers that the run requires; other offers are omitted if they are no longer
   *     available
   */
  Map<String, Offer> of(RunDefinition definition, Set<String> needed) {
    boolean charged =
        definition.offers().values().stream()
            .anyMatch(offer -> offer.price() != PriceKind.NOTIONAL);
    if (!charged) {
      return definition.offers();
    }
    OfferCatalog catalog = catalog();
    Map<String, Offer> now = new LinkedHashMap<>();
    definition
        .offers()
        .forEach(
            (name, offer) -> {
              boolean notional = offer.price() == PriceKind.NOTIONAL;
              if (notional || needed.contains(name) || catalog.find(name).isPresent()) {
                now.put(name, notional ? offer : priced(offer, catalog));
              }
            });
    return now;
  }

  private OfferCatalog catalog() {
    OfferSource source = new OfferSource(cliEnvironment);
    OfferCatalog catalog =
        job.resources()
            .offers()
            .map(file -> source.read(jobFolder.resolve(file).normalize()))
            .orElseGet(() -> source.providerOffers(job.resources().infra(), jobFile))
            .orThrow()
            .value();
    catalog.notes().forEach(cliEnvironment.err()::println);
    return catalog;
  }

  private Offer priced(Offer offer, OfferCatalog catalog) {
    return catalog
        .find(offer.name())
        .map(found -> found.discounted(job.resources().discount()))
        .map(found -> offer.withUsdPerHour(found.usdPerHour()))
        .orElseThrow(
            () ->
                CommandFailure.of(
                    ExitCode.PLAN_STALE,
                    "RUN",
                    offer.name() + " is no longer available, and the plan requires it",
                    "start a new run: " + JobCommand.of("run", jobFile)));
  }

  /** Returns a line for every price in use that has changed enough to require confirmation. */
  static List<String> changes(
      Map<String, Offer> before, Map<String, Offer> now, Set<String> needed) {
    List<String> moved = new ArrayList<>();
    before.forEach(
        (name, offer) -> {
          Offer other = now.getOrDefault(name, offer);
          if (needed.contains(name)
              && StalenessCheck.hasPriceChanged(offer.usdPerHour(), other.usdPerHour())) {
            moved.add(StalenessCheck.priceChange(name, offer.usdPerHour(), other.usdPerHour()));
          }
        });
    return moved;
  }
}
