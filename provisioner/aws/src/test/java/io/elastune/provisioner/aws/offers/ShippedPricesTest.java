package io.elastune.provisioner.aws.offers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.provisioner.aws.AwsCloudProvider;
import io.elastune.provisioner.remote.CsvResource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the shipped offers with the data files from which scripts/price-tables.py made them. */
class ShippedPricesTest {
  private static final List<List<String>> ON_DEMAND =
      data("aws_gpu_on_demand_all_regions_2026-01-21.csv");

  /** USD per hour on demand, by region and instance type. */
  private static final Map<String, Double> PRICES =
      ON_DEMAND.stream()
          .collect(
              Collectors.toMap(
                  row -> "aws/" + row.get(0) + "/" + row.get(1),
                  row -> Double.parseDouble(row.get(2))));

  /** Savings on spot in percent, by region and instance type. */
  private static final Map<String, Integer> SAVINGS =
      data("aws_spot_advisor_2025-07.csv").stream()
          .collect(
              Collectors.toMap(
                  row -> "aws/" + row.get(0) + "/" + row.get(1),
                  row -> Integer.parseInt(row.get(2))));

  private static final List<Offer> OFFERS =
      ON_DEMAND.stream()
          .map(row -> "aws/" + row.get(0))
          .distinct()
          .flatMap(
              place ->
                  new AwsCloudProvider()
                      .builtInOffers(List.of(place)).orElseThrow().offers().stream())
          .toList();

  @Test
  void allOffersExistAtTheirPrices() {
    assertThat(OFFERS).hasSizeGreaterThan(1000);
    assertThat(OFFERS.stream().map(Offer::infra).distinct()).hasSize(28);
    for (Offer offer : OFFERS) {
      String key = offer.infra() + "/" + offer.instanceType();
      assertThat(PRICES).as(offer.name()).containsKey(key);
      boolean spot = offer.market() == Market.SPOT;
      double usd = PRICES.get(key) * (spot ? 1 - SAVINGS.get(key) / 100.0 : 1);
      assertThat(offer.usdPerHour()).as(offer.name()).isCloseTo(usd, within(spot ? 5.1e-5 : 1e-9));
    }
  }

  /** A saving of 90 % is the floor, and none or less indicates that there is no market. */
  @Test
  void spotIsOfferedOnlyWhereThereWasAMarket() {
    assertThat(OFFERS)
        .filteredOn(offer -> offer.market() == Market.SPOT)
        .isNotEmpty()
        .allSatisfy(
            offer ->
                assertThat(SAVINGS.get(offer.infra() + "/" + offer.instanceType()))
                    .as(offer.name())
                    .isBetween(1, 89));
  }

  @ParameterizedTest
  @ValueSource(strings = {"H100", "L4"})
  void cheapestOffersExist(String gpu) {
    List<Offer> cheapest =
        OFFERS.stream()
            .filter(offer -> offer.gpu().equals(gpu))
            .sorted(Comparator.comparingDouble(offer -> offer.usdPerHour() / offer.gpus()))
            .limit(10)
            .toList();
    assertThat(cheapest)
        .hasSize(10)
        .allSatisfy(
            offer -> assertThat(PRICES).containsKey(offer.infra() + "/" + offer.instanceType()));
  }

  private static List<List<String>> data(String name) {
    return CsvResource.required(ShippedPricesTest.class, "/price-data/" + name);
  }
}
