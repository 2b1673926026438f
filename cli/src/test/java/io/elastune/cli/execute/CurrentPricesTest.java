package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.inspect.SmallTestJob;
import io.elastune.core.config.JobFile;
import io.elastune.core.config.OffersFile;
import io.elastune.core.config.Overrides;
import io.elastune.core.job.Job;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.executor.decision.model.RunDefinition;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the prices of a resumed run. */
class CurrentPricesTest {
  private static final String LOCAL = "local/duo/on-demand";
  private static final String BIG = "aws/us-east-1/g5.12xlarge/on-demand";
  private static final String SMALL = "aws/us-east-1/g5.xlarge/on-demand";
  private static final String JOB =
      """
      name: small
      deadline: 60s
      search:
        algorithm: sha
        trials: 4
        eta: 2
        metric: {name: acc, goal: maximize}
        resource: {unit: epoch, min: 1, max: 3}
        space: {lr: {type: uniform, low: 0, high: 1}}
      trial: {run: ./train}
      resources: {infra: [aws/us-east-1], offers: offers.yaml, discount: 10%}
      """;

  @TempDir private Path folder;

  private static String offers(double bigUsd, double smallUsd) {
    return "source: a test\ndate: 2026-11-20\noffers:\n"
        + (bigUsd > 0 ? offer("g5.12xlarge", 4, bigUsd) : "")
        + (smallUsd > 0 ? offer("g5.xlarge", 1, smallUsd) : "");
  }

  private static String offer(String type, int gpus, double usd) {
    return "  - {infra: aws/us-east-1, instance_type: %s, gpu: A10G, gpus: %d, usd_per_hour: %s,"
            .formatted(type, gpus, usd)
        + " market: on-demand, price: list,"
        + " billing: {per: instance, granularity_s: 1, minimum_s: 60, per_use_usd: 0},"
        + " queue_s: {mean: 0, cv: 0}, boot_s: {mean: 0, cv: 0}}\n";
  }

  /**
   * Returns a run on this machine that may also use the big offer at $4 and the small one at $1.
   */
  private static RunDefinition begun() {
    OfferCatalog catalog = OffersFile.parse("offers.yaml", offers(4, 1)).orThrow();
    RunDefinition definition = SmallTestJob.definition("small-20261123-abcd", SmallTestJob.meta());
    Map<String, Offer> offers = new LinkedHashMap<>(definition.offers());
    catalog.offers().forEach(offer -> offers.put(offer.name(), offer));
    return definition.withOffers(offers);
  }

  private Map<String, Offer> now(String offers, RunDefinition definition, String... needed)
      throws IOException {
    Files.writeString(folder.resolve("offers.yaml"), offers);
    Job job = JobFile.parse("job.yaml", JOB, Overrides.NONE).orThrow();
    CliEnvironment cliEnvironment =
        new CliEnvironment(
            new PrintStream(PrintStream.nullOutputStream()),
            new PrintStream(PrintStream.nullOutputStream()),
            new ByteArrayInputStream(new byte[0]),
            Map.of(),
            folder,
            InstantSource.fixed(Instant.EPOCH),
            false);
    return new CurrentPrices(cliEnvironment, "job.yaml", folder, job)
        .of(definition, Set.of(needed));
  }

  @Test
  void usesCurrentDiscountedPrices() throws IOException {
    Map<String, Offer> now = now(offers(5, 1), begun(), BIG);

    assertThat(now).containsOnlyKeys(LOCAL, BIG, SMALL);
    assertThat(now.get(BIG).usdPerHour()).isEqualTo(4.5, within(1e-9));
    assertThat(now.get(SMALL).usdPerHour()).isEqualTo(0.9, within(1e-9));
  }

  @Test
  void omitsUnavailableOffersNotRequired() throws IOException {
    assertThat(now(offers(4, 0), begun(), BIG)).containsOnlyKeys(LOCAL, BIG);
  }

  @Test
  void unavailableRequiredOfferMakesPlanStale() {
    CommandFailure failure =
        catchThrowableOfType(CommandFailure.class, () -> now(offers(0, 1), begun(), BIG));

    assertThat(failure.exit()).isEqualTo(ExitCode.PLAN_STALE);
    assertThat(failure)
        .hasMessageContaining(BIG + " is no longer available, and the plan requires it")
        .hasMessageContaining("start a new run: elastune run job.yaml");
  }

  @Test
  void keepsNotionalPrices() throws IOException {
    RunDefinition notional = SmallTestJob.definition("small-20261123-abcd", SmallTestJob.meta());

    assertThat(now("not even an offers file", notional)).isEqualTo(notional.offers());
  }

  @Test
  void reportsChangedPricesInUseOnly() throws IOException {
    Map<String, Offer> before = begun().offers();
    Map<String, Offer> now = now(offers(8, 8), begun(), BIG);

    assertThat(CurrentPrices.changes(before, now, Set.of(BIG)))
        .singleElement()
        .asString()
        .contains(BIG, "4", "7.2");
    assertThat(CurrentPrices.changes(before, before, Set.of(BIG, SMALL))).isEmpty();
  }
}
