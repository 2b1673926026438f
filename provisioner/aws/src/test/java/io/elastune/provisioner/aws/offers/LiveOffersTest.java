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
  void failsIfAnyQueryFails() {
    world.fake().deny(Set.of("pricing:GetProducts"));
    assertThatThrownBy(() -> offers("aws/us-east-1"))
        .isInstanceOf(CloudException.class)
        .hasMessageContaining("pricing:GetProducts");
  }

  private OfferCatalog offers(String place) {
    CloudContext context =
        new CloudContext(home, home.resolve("clouds.yaml"), AwsTestEnvironment.TIME);
    try (CloudAccount account = new AwsCloudProvider().account(context).orElseThrow()) {
      return account.offers(List.of(place));
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
