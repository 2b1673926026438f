package io.elastune.provisioner.gcp.offers;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.Spread;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.offer.PriceKind;
import io.elastune.provisioner.CloudProvider;
import io.elastune.provisioner.gcp.GcpCloudProvider;
import io.elastune.provisioner.remote.CsvResource;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class ShippedOffersTest {
  private final CloudProvider provider = new GcpCloudProvider();

  @Test
  void serviceLoaderFindsTheProvider() {
    assertThat(ServiceLoader.load(CloudProvider.class))
        .singleElement()
        .satisfies(found -> assertThat(found.name()).isEqualTo("gcp"));
  }

  @Test
  void regionalOffersHavePriceDateAndTerms() {
    OfferCatalog catalog = offers("gcp/us-central1").orElseThrow();
    Offer offer = catalog.find("gcp/us-central1/a2-highgpu-4g/on-demand").orElseThrow();

    assertThat(catalog.date()).isEqualTo("2026-07-30");
    assertThat(offer.gpu()).isEqualTo("A100");
    assertThat(offer.gpus()).isEqualTo(4);
    assertThat(offer.usdPerHour()).isEqualTo(14.69354);
    assertThat(offer.price()).isEqualTo(PriceKind.LIST);
    assertThat(offer.billing()).isEqualTo(new BillingTerms(BillingTerms.Per.INSTANCE, 1, 60, 0));
    assertThat(catalog.find("gcp/us-central1/a2-highgpu-4g/spot").orElseThrow().usdPerHour())
        .isEqualTo(7.71208);
  }

  @Test
  void zoneHasThePricesOfItsRegion() {
    assertThat(offers("gcp/us-central1/us-central1-a").orElseThrow().offers())
        .extracting(Offer::name)
        .contains("gcp/us-central1/us-central1-a/g2-standard-4/on-demand");
    assertThat(offers("gcp/us-central1/us-east1-b")).isEmpty();
  }

  @Test
  void regionsAndZonesHaveOnlyTheirTypes() {
    // us-west3 has A2, but neither A3 nor G2.
    assertThat(offers("gcp/us-west3").orElseThrow().offers())
        .isNotEmpty()
        .noneMatch(offer -> List.of("H100", "L4").contains(offer.gpu()));
    assertThat(offers("gcp/us-central1/us-central1-f").orElseThrow().offers())
        .extracting(Offer::instanceType)
        .contains("a2-highgpu-1g")
        .doesNotContain("a2-ultragpu-1g", "a3-highgpu-8g", "g2-standard-4");
  }

  @Test
  void typesWithoutOnDemandSalesAreOfferedOnSpotOnly() {
    OfferCatalog catalog = offers("gcp/us-central1").orElseThrow();
    for (String type : List.of("a3-highgpu-1g", "a3-highgpu-2g", "a3-highgpu-4g")) {
      assertThat(catalog.find("gcp/us-central1/" + type + "/on-demand")).isEmpty();
      assertThat(catalog.find("gcp/us-central1/" + type + "/spot")).isPresent();
    }
    for (String type : List.of("a3-ultragpu-8g", "a4-highgpu-8g", "a4x-highgpu-4g")) {
      assertThat(SoldMarkets.contains(type, Market.ON_DEMAND)).isFalse();
    }
    assertThat(catalog.find("gcp/us-central1/a3-highgpu-8g/on-demand")).isPresent();
  }

  /** In europe-north1, spot A3 costs 10 % of on demand: Google's floor. */
  @Test
  void spotPricesAtTheFloorAreNotOffered() {
    OfferCatalog catalog = offers("gcp/europe-north1").orElseThrow();
    assertThat(catalog.find("gcp/europe-north1/a3-highgpu-8g/on-demand")).isPresent();
    assertThat(catalog.find("gcp/europe-north1/a3-highgpu-8g/spot")).isEmpty();
  }

  @Test
  void assumedTimesAreMinutes() {
    OfferCatalog catalog = offers("gcp/us-central1").orElseThrow();
    Offer small = catalog.find("gcp/us-central1/a2-highgpu-4g/on-demand").orElseThrow();
    Offer large = catalog.find("gcp/us-central1/a2-highgpu-8g/on-demand").orElseThrow();
    assertThat(small.queueS()).isEqualTo(new Spread(60, 0.5)).isEqualTo(large.queueS());
    assertThat(small.bootS()).isEqualTo(new Spread(180, 0.5));
    assertThat(large.bootS()).isEqualTo(new Spread(420, 0.5));
  }

  @Test
  void providerAloneMeansTheDefaultRegion() {
    assertThat(offers("gcp")).isEqualTo(offers("gcp/us-central1"));
  }

  @Test
  void unknownRegionsHaveNoOffers() {
    assertThat(offers("gcp/mars-north1")).isEmpty();
    assertThat(offers("gcp/")).isEmpty();
    assertThat(offers("gcp/us-central1/a/b")).isEmpty();
  }

  @Test
  void allShippedPricesArePlausible() {
    for (ShippedType type : types()) {
      for (Offer offer :
          provider
              .builtInOffers(List.of("gcp/us-central1", "gcp/us-east4"))
              .orElseThrow()
              .offers()) {
        if (offer.instanceType().equals(type.name())) {
          assertThat(ShippedOffers.problem(type, offer.market(), offer.usdPerHour())).isEmpty();
        }
      }
    }
  }

  @Test
  void rejectsPriceWithoutGpus() {
    // 4 vCPUs and 16 GB without a GPU cost 0.15 USD/h.
    assertThat(ShippedOffers.problem(type("g2-standard-4"), Market.ON_DEMAND, 0.15).orElseThrow())
        .contains("g2-standard-4 (on-demand)", "a host's price without its GPUs");
    assertThat(ShippedOffers.problem(type("a2-highgpu-8g"), Market.ON_DEMAND, 5.9)).isPresent();
    assertThat(ShippedOffers.problem(type("a2-highgpu-8g"), Market.SPOT, 0)).isPresent();
  }

  @Test
  void rejectsTypeNamedForOtherGpuCount() {
    ShippedType odd = new ShippedType("a2-highgpu-8g", "A100", 4, 96, 680, 3.48);
    assertThat(ShippedOffers.problem(odd, Market.ON_DEMAND, 30).orElseThrow())
        .contains("listed with 4 GPUs");
  }

  private static List<ShippedType> types() {
    return CsvResource.required(ShippedOffers.class, "types.csv").stream()
        .map(ShippedType::parse)
        .toList();
  }

  private static ShippedType type(String name) {
    return types().stream().filter(type -> type.name().equals(name)).findFirst().orElseThrow();
  }

  private Optional<OfferCatalog> offers(String... places) {
    return provider.builtInOffers(List.of(places));
  }
}
