package io.elastune.provisioner.aws.offers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.offer.Quota;
import io.elastune.provisioner.CloudAccount;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.aws.AwsCloudProvider;
import io.elastune.provisioner.aws.testing.AwsTestEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests live offers with the real SDK against the fake AWS. */
class LiveOffersTest {
  @RegisterExtension private final AwsTestEnvironment world = new AwsTestEnvironment();
  @TempDir private Path home;

  @Test
  void onDemandIsPerRegionAndSpotPerZone() {
    OfferCatalog catalog = offers("aws/us-east-1");

    assertThat(catalog.source()).isEqualTo("aws price list");
    assertThat(Instant.parse(catalog.date())).isBeforeOrEqualTo(AwsTestEnvironment.TIME.instant());
    assertThat(catalog.offers())
        .extracting(Offer::name)
        .containsExactlyInAnyOrder(
            "aws/us-east-1/g5.xlarge/on-demand",
            "aws/us-east-1/g5.12xlarge/on-demand",
            "aws/us-east-1/g5.48xlarge/on-demand",
            "aws/us-east-1/p4d.24xlarge/on-demand",
            "aws/us-east-1/p4de.24xlarge/on-demand",
            "aws/us-east-1/us-east-1a/g5.xlarge/spot",
            "aws/us-east-1/us-east-1b/g5.xlarge/spot",
            "aws/us-east-1/us-east-1b/g5.12xlarge/spot");
    assertThat(usd(catalog, "aws/us-east-1/g5.12xlarge/on-demand")).isEqualTo(5.672);
    assertThat(usd(catalog, "aws/us-east-1/us-east-1b/g5.xlarge/spot")).isEqualTo(0.3877);
  }

  @Test
  void usesCurrentPrice() {
    world.fake().market().onDemand("g5.xlarge", 0.9);
    world.fake().market().spot("g5.xlarge", "us-east-1a", 0.5);
    OfferCatalog catalog = offers("aws/us-east-1");
    assertThat(usd(catalog, "aws/us-east-1/g5.xlarge/on-demand")).isEqualTo(0.9);
    assertThat(usd(catalog, "aws/us-east-1/us-east-1a/g5.xlarge/spot")).isEqualTo(0.5);
  }

  @Test
  void namesGpusAsProfilesDoAndSkipsFractions() {
    OfferCatalog catalog = offers("aws/us-east-1");
    assertThat(offer(catalog, "aws/us-east-1/p4d.24xlarge/on-demand").gpu()).isEqualTo("A100");
    assertThat(offer(catalog, "aws/us-east-1/p4de.24xlarge/on-demand").gpu())
        .isEqualTo("A100-80GB");
    assertThat(offer(catalog, "aws/us-east-1/g5.48xlarge/on-demand").gpus()).isEqualTo(8);
    assertThat(catalog.offers()).noneMatch(offer -> offer.instanceType().startsWith("g6f"));
  }

  /** The price list has a second product with the price 0 for types sold as capacity blocks. */
  @Test
  void capacityBlocksAreNotOnDemandPrices() {
    OfferCatalog catalog = offers("aws/us-east-1");
    assertThat(usd(catalog, "aws/us-east-1/p4d.24xlarge/on-demand")).isEqualTo(21.957642);
    assertThat(usd(catalog, "aws/us-east-1/p4de.24xlarge/on-demand")).isEqualTo(27.44705);
  }

  @Test
  void pricesOfZeroAreNotOffered() {
    world.fake().market().onDemand("g5.12xlarge", 0);
    world.fake().market().spot("g5.12xlarge", "us-east-1b", 0);
    assertThat(offers("aws/us-east-1").offers())
        .isNotEmpty()
        .noneMatch(offer -> offer.instanceType().equals("g5.12xlarge"));
  }

  @Test
  void zoneOffersOnlyItsTypes() {
    assertThat(offers("aws/us-east-1/us-east-1a").offers())
        .filteredOn(offer -> offer.market() == Market.SPOT)
        .extracting(Offer::name)
        .containsExactly("aws/us-east-1/us-east-1a/g5.xlarge/spot");
    world.fake().account().zones(Set.of("us-east-1b"));
    assertThat(offers("aws/us-east-1/us-east-1a").offers())
        .noneMatch(offer -> offer.market() == Market.ON_DEMAND);
  }

  @Test
  void reportsQuotas() {
    world.fake().account().quota("L-DB2E81BA", 96);
    world.fake().account().quota("L-3819A6DF", 8);
    List<Quota> quotas = offers("aws/us-east-1").quotas();

    Quota onDemand = named(quotas, "Running On-Demand G and VT instances in us-east-1");
    assertThat(onDemand.limit()).isEqualTo(96);
    assertThat(onDemand.maxInstances("aws/us-east-1/g5.12xlarge/on-demand")).isEqualTo(2);
    Quota spot = named(quotas, "All G and VT Spot Instance Requests in us-east-1");
    assertThat(spot.maxInstances("aws/us-east-1/us-east-1a/g5.xlarge/spot")).isEqualTo(2);
    assertThat(spot.unitsPerInstance("aws/us-east-1/g5.12xlarge/on-demand")).isZero();
    assertThat(quotas)
        .extracting(Quota::name)
        .contains("Running On-Demand P instances in us-east-1")
        .hasSize(3);
  }

  @Test
  void quotasAreWhatRunningInstancesLeave() {
    world.fake().account().quota("L-DB2E81BA", 96);
    world.fake().ec2().add("g5.xlarge", Map.of());
    Quota left =
        named(
            offers("aws/us-east-1").quotas(),
            "Running On-Demand G and VT instances in us-east-1 (4 in use)");
    assertThat(left.limit()).isEqualTo(92);
    assertThat(left.maxInstances("aws/us-east-1/g5.12xlarge/on-demand")).isEqualTo(1);
  }

  @Test
  void shippedPricesReplaceUnavailableOnDemandPrices() {
    world.fake().deny(Set.of("pricing:GetProducts"));
    OfferCatalog catalog = offers("aws/us-east-1");

    String name = "aws/us-east-1/g5.12xlarge/on-demand";
    assertThat(usd(catalog, name)).isEqualTo(5.672);
    assertThat(catalog.replacementDate(name)).hasValue("2026-07-20");
    assertThat(usd(catalog, "aws/us-east-1/us-east-1b/g5.xlarge/spot")).isEqualTo(0.3877);
    assertThat(catalog.priceDates()).doesNotContainKey("aws/us-east-1/us-east-1b/g5.xlarge/spot");
    assertThat(catalog.quotas()).isNotEmpty();
    assertThat(catalog.notes())
        .singleElement()
        .asString()
        .startsWith("On-demand prices of us-east-1 are unavailable: ")
        .contains("pricing:GetProducts")
        .endsWith("shipped prices are used, marked ~ with their date");
  }

  @Test
  void typesWithoutAnyPriceAreLeftOutAndNamed() {
    world.fake().market().add("g9.xlarge", "L9", 1, 4, 2.5);
    assertThat(offers("aws/us-east-1").notes()).isEmpty();

    world.fake().deny(Set.of("pricing:GetProducts"));
    OfferCatalog catalog = offers("aws/us-east-1");
    assertThat(catalog.offers())
        .isNotEmpty()
        .noneMatch(offer -> offer.instanceType().equals("g9.xlarge"));
    assertThat(catalog.notes())
        .contains("Not offered in us-east-1, because no price is known: g9.xlarge");
  }

  @Test
  void shippedPricesReplaceUnavailableSpotPrices() {
    world.fake().deny(Set.of("ec2:DescribeSpotPriceHistory"));
    OfferCatalog catalog = offers("aws/us-east-1");

    Offer spot = offer(catalog, "aws/us-east-1/g5.xlarge/spot");
    assertThat(spot.usdPerHour()).isBetween(0.1, 0.9);
    assertThat(catalog.replacementDate(spot.name())).hasValue("2025-07");
    assertThat(catalog.replacementDate("aws/us-east-1/g5.xlarge/on-demand")).isEmpty();
    assertThat(catalog.notes())
        .singleElement()
        .asString()
        .contains("Spot prices of us-east-1", "ec2:DescribeSpotPriceHistory");
  }

  @Test
  void typesAndZonesOfTheTableReplaceUnavailableOnes() {
    world.fake().deny(Set.of("ec2:DescribeInstanceTypes", "ec2:DescribeInstanceTypeOfferings"));
    OfferCatalog catalog = offers("aws/us-east-1/us-east-1a");

    assertThat(usd(catalog, "aws/us-east-1/us-east-1a/g5.12xlarge/on-demand")).isEqualTo(5.672);
    assertThat(catalog.priceDates()).isEmpty();
    assertThat(catalog.offers()).noneMatch(offer -> offer.instanceType().startsWith("p3"));
    assertThat(catalog.notes())
        .hasSize(2)
        .anyMatch(note -> note.startsWith("Instance types of us-east-1 are unavailable"))
        .anyMatch(note -> note.endsWith("every zone is assumed to have the types of its region"));
  }

  @Test
  void unavailableQuotasDoNotDiscardPrices() {
    world.fake().deny(Set.of("servicequotas:GetServiceQuota"));
    OfferCatalog catalog = offers("aws/us-east-1");
    assertThat(catalog.offers()).hasSize(8);
    assertThat(catalog.quotas()).isEmpty();
    assertThat(catalog.notes())
        .hasSize(3)
        .allMatch(note -> note.startsWith("Quotas of us-east-1 are unavailable: "))
        .anyMatch(note -> note.contains("L-DB2E81BA"));
  }

  @Test
  void oneRegionDoesNotDiscardTheOthers() {
    world.fake().denyRegion("eu-west-1");
    OfferCatalog catalog = offers("aws/eu-west-1", "aws/us-east-1");
    assertThat(usd(catalog, "aws/us-east-1/g5.12xlarge/on-demand")).isEqualTo(5.672);
    assertThat(catalog.replacementDate("aws/us-east-1/g5.12xlarge/on-demand")).isEmpty();
    Offer shipped = offer(catalog, "aws/eu-west-1/g5.xlarge/on-demand");
    assertThat(catalog.replacementDate(shipped.name())).hasValue("2026-01-21");
    assertThat(catalog.notes())
        .singleElement()
        .asString()
        .startsWith("Live offers of eu-west-1 are unavailable: ");
  }

  @Test
  void failsIfNoQueryIsAnswered() {
    world.fake().denyRegion("us-east-1");
    assertThatThrownBy(() -> offers("aws/us-east-1")).isInstanceOf(CloudException.class);
  }

  @Test
  void disksAndAddressesAreThoseOfTheSettings() throws IOException {
    String name = "aws/us-east-1/g5.xlarge/on-demand";
    assertThat(offer(offers("aws/us-east-1"), name).diskUsdPerHour())
        .as("without settings: 100 GB and a public address")
        .isEqualTo(100 * 0.10 / 730 + 0.005);

    Files.writeString(
        home.resolve("clouds.yaml"), "aws: {us-east-1: {image: ami-01, disk_gb: 500}}\n");
    assertThat(offer(offers("aws/us-east-1"), name).diskUsdPerHour()).isEqualTo(500 * 0.10 / 730);

    Files.writeString(home.resolve("clouds.yaml"), "aws: {us-east-1: {launch_template: lt-01}}\n");
    assertThat(offer(offers("aws/us-east-1"), name).diskUsdPerHour())
        .as("the template may define an address")
        .isEqualTo(100 * 0.10 / 730 + 0.005);
  }

  private OfferCatalog offers(String... places) {
    CloudContext context =
        new CloudContext(home, home.resolve("clouds.yaml"), AwsTestEnvironment.TIME);
    try (CloudAccount account = new AwsCloudProvider().account(context).orElseThrow()) {
      return account.offers(List.of(places));
    }
  }

  private static Quota named(List<Quota> quotas, String name) {
    return quotas.stream().filter(quota -> quota.name().equals(name)).findFirst().orElseThrow();
  }

  private static Offer offer(OfferCatalog catalog, String name) {
    return catalog.find(name).orElseThrow();
  }

  private static double usd(OfferCatalog catalog, String name) {
    return offer(catalog, name).usdPerHour();
  }
}
