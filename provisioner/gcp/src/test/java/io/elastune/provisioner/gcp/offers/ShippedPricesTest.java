package io.elastune.provisioner.gcp.offers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.provisioner.gcp.GcpCloudProvider;
import io.elastune.provisioner.remote.CsvResource;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the shipped offers with the data files from which scripts/price-tables.py made them. */
class ShippedPricesTest {
  private static final List<List<String>> REGIONS = data("gcp_gpu_regions_2026-08-17.csv");
  private static final List<List<String>> ZONES = data("gcp_gpu_zones_2026-07-30.csv");

  /** On demand and on spot, by region and machine type; empty where the data has no price. */
  private static final Map<String, List<String>> PRICES = prices();

  private static final List<Offer> OFFERS =
      REGIONS.stream()
          .map(row -> "gcp/" + row.get(0))
          .distinct()
          .flatMap(
              place ->
                  new GcpCloudProvider()
                      .builtInOffers(List.of(place)).stream()
                          .flatMap(catalog -> catalog.offers().stream()))
          .toList();

  @Test
  void allOffersExistAtTheirPrices() {
    assertThat(OFFERS).hasSizeGreaterThan(500);
    assertThat(OFFERS.stream().map(Offer::infra).distinct()).hasSizeGreaterThan(25);
    for (Offer offer : OFFERS) {
      List<String> known = PRICES.get(offer.infra() + "/" + offer.instanceType());
      assertThat(known).as(offer.name()).isNotNull();
      assertThat(offer.usdPerHour())
          .as(offer.name())
          .isCloseTo(
              Double.parseDouble(known.get(offer.market() == Market.SPOT ? 1 : 0)), within(1e-9));
    }
  }

  @Test
  void noSpotOfferIsAtTheFloor() {
    for (Offer offer : OFFERS) {
      if (offer.market() == Market.SPOT) {
        String known = PRICES.get(offer.infra() + "/" + offer.instanceType()).get(0);
        assertThat(offer.usdPerHour())
            .as(offer.name())
            .isGreaterThan(0.2 * Double.parseDouble(known));
      }
    }
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
    assertThat(cheapest).hasSize(10);
    for (Offer offer : cheapest) {
      assertThat(ZONES)
          .as(offer.name())
          .anyMatch(
              row ->
                  offer.infra().equals("gcp/" + row.get(0))
                      && row.get(2).equals(offer.instanceType()));
    }
  }

  @Test
  void zonesHaveTheTypesOfTheData() {
    for (List<String> row : ZONES) {
      boolean offered =
          OFFERS.stream()
              .anyMatch(
                  offer ->
                      offer.infra().equals("gcp/" + row.get(0))
                          && offer.instanceType().equals(row.get(2)));
      if (row.get(5).equals("skypilot") && offered) {
        String place = "gcp/" + row.get(0) + "/" + row.get(1);
        assertThat(new GcpCloudProvider().builtInOffers(List.of(place)).orElseThrow().offers())
            .as(place)
            .anyMatch(offer -> offer.instanceType().equals(row.get(2)));
      }
    }
  }

  private static Map<String, List<String>> prices() {
    Map<String, List<String>> prices = new LinkedHashMap<>();
    REGIONS.forEach(
        row -> prices.put("gcp/" + row.get(0) + "/" + row.get(1), List.of(row.get(2), row.get(3))));
    return prices;
  }

  private static List<List<String>> data(String name) {
    return CsvResource.required(ShippedPricesTest.class, "/price-data/" + name);
  }
}
