package io.elastune.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.Spread;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.offer.Quota;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OffersFileTest {
  private static final String TEXT =
      """
      source: price list
      date: 2026-11-20
      offers:
        - infra: aws/us-east-1
          instance_type: p3.8xlarge
          gpu: V100
          gpus: 4
          market: spot
          usd_per_hour: 12.24
          price: list
          billing: {per: use, granularity_s: 60, minimum_s: 120, per_use_usd: 0.5}
          queue_s: {mean: 15, cv: 0.3}
          boot_s: {mean: 60, cv: 0.2}
          data_in_usd: 0.1
          disk_usd_per_hour: 0.2
        - infra: local
          instance_type: small
          gpu: cpu
          gpus: 2
          usd_per_hour: 1
          price: notional
          queue_s: {mean: 0}
          boot_s: {mean: 1}
          cores_per_gpu: 2
      """;
  private static final Offer SPOT =
      new Offer(
          "aws/us-east-1",
          "p3.8xlarge",
          "V100",
          4,
          Market.SPOT,
          12.24,
          PriceKind.LIST,
          new BillingTerms(BillingTerms.Per.USE, 60, 120, 0.5),
          new Spread(15, 0.3),
          new Spread(60, 0.2),
          0.1,
          0.2,
          0);
  private static final Offer LOCAL =
      new Offer(
          "local",
          "small",
          "cpu",
          2,
          Market.ON_DEMAND,
          1,
          PriceKind.NOTIONAL,
          BillingTerms.BY_THE_SECOND,
          Spread.NONE,
          Spread.exactly(1),
          0,
          0,
          2);

  @Test
  void readsFieldsAndAppliesDefaults() {
    assertThat(OffersFile.parse("o", TEXT).orThrow())
        .isEqualTo(new OfferCatalog("price list", "2026-11-20", List.of(SPOT, LOCAL)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "date: 2026-11-20 | date: 20.11.2026 | 2: date: must be a date, or a date-time with offset,"
            + " not \"20.11.2026\" (e.g. 2026-11-20)",
        "infra: local | infra: lokal | 16: offers[1].infra: must be one of local,"
            + " simulated[/LOCATION], ray/CLUSTER, aws/REGION[/ZONE], gcp/REGION[/ZONE], not"
            + " \"lokal\" (did you mean local?)",
        "gpus: 4 | gpus: 4.5 | 7: offers[0].gpus: must be a whole number from 1 to 1000, not 4.5",
        "usd_per_hour: 12.24 | usd_per_hour: -1 | 9: offers[0].usd_per_hour: must be at least 0,"
            + " not -1",
        "usd_per_hour: 12.24 | usd_per_hour: 0 | 9: offers[0].usd_per_hour: must be above 0 for a"
            + " list price (give the real price, or set price: notional if nothing is charged)",
        "`    usd_per_hour: 12.24\n"
            + "` | `` | 4: offers[0].usd_per_hour: is missing (number of at least 0, in USD per"
            + " hour)",
        "market: spot | market: on_demand | 8: offers[0].market: must be one of on-demand, spot,"
            + " not the string \"on_demand\" (did you mean on-demand?)",
        "price: notional | price: free | 21: offers[1].price: must be one of list, notional, not"
            + " the string \"free\"",
        "granularity_s: 60 | granularity_s: 0 | 11: offers[0].billing.granularity_s: must be above"
            + " 0, not 0",
        "per: use | per: hour | 11: offers[0].billing.per: must be one of instance, use, not the"
            + " string \"hour\"",
        "mean: 15 | mean: 15s | 12: offers[0].queue_s.mean: must be a number of at least 0, in"
            + " seconds, not the string \"15s\"",
        "p3.8xlarge | p3/8xlarge | 5: offers[0].instance_type: must be a name of letters, digits"
            + " and '.', '_', '-', not \"p3/8xlarge\"",
        "cores_per_gpu: 2 | cores_per_gpus: 2 | 24: offers[1].cores_per_gpus: unknown field of"
            + " offers (did you mean cores_per_gpu?)"
      })
  void reportsProblemsOnTheirLines(String part, String replacement, String problem) {
    assertThat(TEXT).contains(part);
    assertThat(
            OffersFile.parse("o", TEXT.replace(part, replacement == null ? "" : replacement))
                .problems())
        .extracting(FileProblem::toString)
        .containsExactly("o:" + problem);
  }

  @Test
  void rejectsDuplicateOffers() {
    String twice = TEXT + TEXT.substring(TEXT.indexOf("  - infra: local"));
    assertThat(OffersFile.parse("o", twice).problems())
        .extracting(FileProblem::toString)
        .containsExactly(
            "o:25: offers[2]: the offer local/small/on-demand is given twice, first on line 16");
  }

  @Test
  void quotasReferToOffersOfTheFile() {
    String text =
        TEXT
            + """
            quotas:
              - name: Running On-Demand P instances
                unit: vCPU
                limit: 64
                uses: {local/small/on-demand: 4}
            """;
    assertThat(OffersFile.parse("o", text).orThrow().quotas())
        .containsExactly(
            new Quota(
                "Running On-Demand P instances", "vCPU", 64, Map.of("local/small/on-demand", 4)));
    assertThat(
            OffersFile.parse("o", text.replace("small/on-demand: 4", "smal/on-demand: 4"))
                .problems())
        .extracting(FileProblem::toString)
        .singleElement()
        .asString()
        .contains(
            "quotas[0]: counts local/smal/on-demand, which is not in the list of offers",
            "did you mean local/small/on-demand?");
  }

  @Test
  void rejectsEmptyOffers() {
    assertThat(OffersFile.parse("o", "source: a\ndate: 2026-01-01\noffers: []\n").problems())
        .hasSize(1);
  }

  @Test
  void writtenCatalogsReadBackEqual() {
    for (int seed = 0; seed < 300; seed++) {
      OfferCatalog catalog = random(new SplittableRandom(seed));
      String text = OffersFile.write(catalog);
      assertThat(OffersFile.parse("o", text).orThrow())
          .as("seed %s:%n%s", seed, text)
          .isEqualTo(catalog);
    }
  }

  private static OfferCatalog random(SplittableRandom random) {
    List<Offer> offers = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(3); i++) {
      Offer base = random.nextBoolean() ? SPOT : LOCAL;
      offers.add(
          new Offer(
              base.infra(),
              "t" + i,
              random.nextBoolean() ? "V100" : "100",
              1 + random.nextInt(8),
              base.market(),
              random.nextDouble() * 100,
              base.price(),
              new BillingTerms(base.billing().per(), 1 + random.nextDouble(), i, 0),
              new Spread(random.nextDouble() * 1e5, random.nextDouble()),
              Spread.exactly(random.nextInt(100)),
              random.nextInt(2),
              random.nextDouble(),
              1 + random.nextInt(4)));
    }
    List<Quota> quotas = new ArrayList<>();
    for (int i = 0; i < random.nextInt(3); i++) {
      quotas.add(new Quota("q" + i, "vCPU", i, Map.of(offers.get(0).name(), 1 + i)));
    }
    String date = random.nextBoolean() ? "2026-11-20" : "2026-11-20T06:00:00.123Z";
    List<String> notes = random.nextBoolean() ? List.of() : List.of("spot prices: denied", "b");
    Map<String, String> dates =
        random.nextBoolean()
            ? Map.of()
            : Map.of(offers.get(0).name(), random.nextBoolean() ? "2026-07-20" : "2025-07");
    return new OfferCatalog("a: b", date, offers, quotas, notes, dates);
  }
}
