package io.elastune.provisioner.aws.offers;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.Spread;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.offer.PriceKind;
import io.elastune.provisioner.CloudProvider;
import io.elastune.provisioner.aws.AwsCloudProvider;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class ShippedOffersTest {
  private final CloudProvider provider = new AwsCloudProvider();

  @Test
  void findsProviderAtRunTime() {
    assertThat(ServiceLoader.load(CloudProvider.class))
        .singleElement()
        .satisfies(found -> assertThat(found.name()).isEqualTo("aws"));
  }

  @Test
  void offersHavePriceDateAndTerms() {
    OfferCatalog catalog = offers("aws/us-east-1").orElseThrow();
    Offer offer = catalog.find("aws/us-east-1/g5.12xlarge/on-demand").orElseThrow();

    assertThat(catalog.date()).isEqualTo("2026-07-20");
    assertThat(offer.gpu()).isEqualTo("A10G");
    assertThat(offer.gpus()).isEqualTo(4);
    assertThat(offer.usdPerHour()).isEqualTo(5.672);
    assertThat(offer.price()).isEqualTo(PriceKind.LIST);
    assertThat(offer.billing()).isEqualTo(new BillingTerms(BillingTerms.Per.INSTANCE, 1, 60, 0));
    assertThat(catalog.offers()).allMatch(some -> some.usdPerHour() > 0 && some.gpus() > 0);
  }

  @Test
  void zoneHasPricesOfItsRegion() {
    assertThat(
            offers("aws/us-east-1/us-east-1a", "aws/us-east-1/us-east-1b").orElseThrow().offers())
        .extracting(Offer::name)
        .contains(
            "aws/us-east-1/us-east-1a/p4d.24xlarge/on-demand",
            "aws/us-east-1/us-east-1b/p4d.24xlarge/on-demand");
  }

  @Test
  void providerNameSelectsDefaultRegion() {
    assertThat(offers("aws")).isEqualTo(offers("aws/us-east-1"));
  }

  @Test
  void hasNoOffersOutsideTheTable() {
    assertThat(offers("aws/mars-north-1")).isEmpty();
    assertThat(offers("aws/us-east-1/eu-west-1a")).isEmpty();
    assertThat(offers("aws/")).isEmpty();
    assertThat(offers("aws/us-east-1/a/b")).isEmpty();
  }

  @Test
  void spotPricesAreMarkedWithTheirMonth() {
    OfferCatalog catalog = offers("aws/eu-west-1").orElseThrow();
    assertThat(catalog.source()).isEqualTo("aws, shipped table: spot 2025-07, on demand");
    assertThat(catalog.date()).isEqualTo("2026-01-21");
    assertThat(catalog.find("aws/eu-west-1/g5.xlarge/spot")).isPresent();
  }

  @Test
  void retiredAndMetalTypesAreNotOffered() {
    assertThat(offers("aws/us-east-1").orElseThrow().offers())
        .noneMatch(offer -> offer.instanceType().startsWith("p3"))
        .noneMatch(offer -> offer.instanceType().endsWith(".metal"));
  }

  @Test
  void assumedTimesAreMinutes() {
    OfferCatalog catalog = offers("aws/us-east-1").orElseThrow();
    Offer small = catalog.find("aws/us-east-1/g5.xlarge/on-demand").orElseThrow();
    Offer large = catalog.find("aws/us-east-1/p4d.24xlarge/on-demand").orElseThrow();
    assertThat(small.queueS()).isEqualTo(new Spread(60, 0.5)).isEqualTo(large.queueS());
    assertThat(small.bootS()).isEqualTo(new Spread(180, 0.5));
    assertThat(large.bootS()).isEqualTo(new Spread(420, 0.5));
  }

  @Test
  void distinguishesA100Sizes() {
    List<ShippedType> types = ShippedOffers.types();
    assertThat(types)
        .filteredOn(type -> type.name().equals("p4d.24xlarge"))
        .extracting(ShippedType::gpu)
        .containsExactly("A100");
    assertThat(types)
        .filteredOn(type -> type.name().equals("p4de.24xlarge"))
        .extracting(ShippedType::gpu)
        .containsExactly("A100-80GB");
  }

  private Optional<OfferCatalog> offers(String... places) {
    return provider.builtInOffers(List.of(places));
  }
}
