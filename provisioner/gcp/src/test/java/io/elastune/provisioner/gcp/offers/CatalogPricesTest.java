package io.elastune.provisioner.gcp.offers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.provisioner.CloudAccount;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.gcp.GcpCloudProvider;
import io.elastune.provisioner.gcp.fake.FakeCatalog;
import io.elastune.provisioner.gcp.model.GpuType;
import io.elastune.provisioner.gcp.sdk.BillingCatalog;
import io.elastune.provisioner.gcp.testing.GcpTestEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class CatalogPricesTest {
  private static final String KEY = "ELASTUNE_GCP_PRICE_KEY";
  private static final String ENDPOINT = "CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDBILLING";

  private static final GpuType A2 = new GpuType("a2-highgpu-1g", "nvidia-tesla-a100", 1, 12, 85);

  @RegisterExtension final GcpTestEnvironment world = new GcpTestEnvironment();
  @TempDir Path home;
  private FakeCatalog catalog;
  private Instant now = Instant.parse("2026-11-20T06:00:00Z");

  @BeforeEach
  void open() throws IOException {
    catalog = new FakeCatalog();
    System.setProperty(KEY, FakeCatalog.KEY);
    System.setProperty(ENDPOINT, catalog.url() + "/v1/");
    // The public prices of July 2026.
    catalog.addItem("A2 Instance Core running in Americas", "OnDemand", "h", 0.031611);
    catalog.addItem("A2 Instance Ram running in Americas", "OnDemand", "GiBy.h", 0.004237);
    catalog.addItem("Nvidia Tesla A100 GPU running in Americas", "OnDemand", "h", 2.933908);
    catalog.addItem("Nvidia Tesla A100 80GB GPU running in Iowa", "OnDemand", "h", 3.92808);
    catalog.addItem("SSD backed Local Storage", "OnDemand", "GiBy.mo", 0.08);
  }

  @AfterEach
  void close() {
    catalog.close();
    System.clearProperty(KEY);
    System.clearProperty(ENDPOINT);
  }

  @Test
  void priceIsTheSumOfTheComponents() {
    for (Offer offer : offers().offers()) {
      double shipped =
          ShippedOffers.usdPerHour("us-central1", offer.instanceType(), offer.market())
              .orElseThrow();
      assertThat(offer.usdPerHour()).as(offer.name()).isCloseTo(shipped, within(1e-9));
    }
    assertThat(offers().offers())
        .extracting(Offer::name)
        .containsExactly("gcp/us-central1/a2-highgpu-1g/on-demand");
    assertThat(offers().source()).isEqualTo("gcp billing catalog");
    assertThat(offers().date()).isEqualTo("2026-11-20T06:00:00Z");
  }

  @Test
  void priceIncludesLocalDisks() {
    GpuType ultra = new GpuType("a2-ultragpu-2g", "nvidia-a100-80gb", 2, 24, 340);
    assertThat(prices().of(ultra, "us-central1", Market.ON_DEMAND).orElseThrow())
        .isCloseTo(
            ShippedOffers.usdPerHour("us-central1", ultra.name(), Market.ON_DEMAND).orElseThrow(),
            within(1e-7)); // the table is rounded
  }

  @Test
  void noPriceIfAComponentHasNone() {
    catalog.addItem("G2 Instance Core running in Americas", "OnDemand", "h", 0.025);
    catalog.addItem("G2 Instance Ram running in Americas", "OnDemand", "GiBy.h", 0.003);
    assertThat(offers().offers())
        .extracting(Offer::instanceType)
        .as("no price for the GPUs of g2")
        .containsOnly("a2-highgpu-1g");
    assertThat(prices().of(A2, "europe-west4", Market.ON_DEMAND)).isEmpty();
    assertThat(prices().of(A2, "us-central1", Market.SPOT)).isEmpty();
  }

  @Test
  void spotHasOwnPricesAndCommitmentsAreIgnored() {
    sellSpot(1.5);
    catalog.addItem("Nvidia Tesla A100 GPU running in Americas", "Commit1Yr", "h", 9);
    catalog.addItem("Commitment v1: A2 Instance Core running in X", "OnDemand", "h", 9);
    catalog.addItem("A2 Instance Ram running in Americas", "OnDemand", "GiBy.mo", 9);

    assertThat(prices().of(A2, "us-central1", Market.SPOT).orElseThrow())
        .isCloseTo(12 * 0.02 + 85 * 0.002 + 1.5, within(1e-9));
    assertThat(prices().of(A2, "us-central1", Market.ON_DEMAND).orElseThrow())
        .isCloseTo(3.673385, within(1e-9));
  }

  @Test
  void offersAttachedGpusInTheirZones() {
    catalog.addItem("N1 Predefined Instance Core running in Americas", "OnDemand", "h", 0.031611);
    catalog.addItem(
        "N1 Predefined Instance Ram running in Americas", "OnDemand", "GiBy.h", 0.004237);
    catalog.addItem("Nvidia Tesla T4 GPU running in Americas", "OnDemand", "h", 0.35);

    String two = "n1-standard-16+2xnvidia-tesla-t4/on-demand";
    Offer offer = offers().find("gcp/us-central1/" + two).orElseThrow();
    assertThat(offer.gpus()).isEqualTo(2);
    assertThat(offer.gpu()).isEqualTo("T4");
    assertThat(offer.usdPerHour())
        .isCloseTo(16 * 0.031611 + 60 * 0.004237 + 2 * 0.35, within(1e-9));
    assertThat(offers("gcp/us-central1/us-central1-b").offers())
        .extracting(Offer::name)
        .contains("gcp/us-central1/us-central1-b/" + two);
    assertThatThrownBy(() -> offers("gcp/us-central1/us-central1-c"))
        .hasMessageContaining("no price for gcp/us-central1/us-central1-c");
  }

  private void sellSpot(double gpu) {
    String spot = "Preemptible";
    catalog.addItem("Spot Preemptible A2 Instance Core running in Americas", spot, "h", 0.02);
    catalog.addItem("Spot Preemptible A2 Instance Ram running in Americas", spot, "GiBy.h", 0.002);
    catalog.addItem(
        "Nvidia Tesla A100 GPU attached to Spot Preemptible VMs running in Americas",
        spot,
        "h",
        gpu);
  }

  @Test
  void higherOfTwoPricesCounts() {
    catalog.addItem("Nvidia Tesla A100 GPU running in Iowa", "OnDemand", "h", 2.5);
    assertThat(prices().of(A2, "us-central1", Market.ON_DEMAND).orElseThrow())
        .isCloseTo(3.673385, within(1e-9));
  }

  @Test
  void shippedPriceReplacesImplausiblePrice() {
    System.setProperty(ENDPOINT, catalogWithCheapGpus());
    OfferCatalog found = offers();
    String name = "gcp/us-central1/a2-highgpu-1g/on-demand";
    assertThat(found.find(name).orElseThrow().usdPerHour()).isEqualTo(3.673385);
    assertThat(found.replacementDate(name)).hasValue("2026-07-30");
    assertThat(found.notes())
        .singleElement()
        .asString()
        .contains("a2-highgpu-1g (on-demand)", "without its GPUs", "shipped price is used");
  }

  /** Replaces the catalog with one that has GPUs at almost no cost. */
  private String catalogWithCheapGpus() {
    catalog.close();
    try {
      catalog = new FakeCatalog();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    catalog.addItem("A2 Instance Core running in Americas", "OnDemand", "h", 0.031611);
    catalog.addItem("A2 Instance Ram running in Americas", "OnDemand", "GiBy.h", 0.004237);
    catalog.addItem("Nvidia Tesla A100 GPU running in Americas", "OnDemand", "h", 0.01);
    return catalog.url();
  }

  @Test
  void readsTheCatalogOncePerDay() throws IOException {
    offers();
    int first = catalog.requestedUrls().size();
    now = now.plus(Duration.ofHours(23));
    assertThat(offers().date()).isEqualTo("2026-11-20T06:00:00Z");
    assertThat(catalog.requestedUrls()).hasSize(first);

    now = now.plus(Duration.ofHours(2));
    assertThat(offers().date()).isEqualTo("2026-11-21T07:00:00Z");
    assertThat(catalog.requestedUrls()).hasSize(2 * first);

    Files.writeString(home.resolve("cache/gcp-prices.csv"), "rubbish\n,,");
    assertThat(offers().offers()).hasSize(1);
    assertThat(catalog.requestedUrls()).hasSize(3 * first);
  }

  @Test
  void keyIsInNoUrlAndNoError() {
    offers();
    assertThat(catalog.requestedUrls()).noneMatch(address -> address.contains(FakeCatalog.KEY));
    assertThat(catalog.requestedUrls()).allMatch(address -> address.contains("currencyCode=USD"));

    now = now.plus(Duration.ofDays(2));
    System.setProperty(KEY, "another-key");
    assertThat(offers().notes())
        .first()
        .asString()
        .contains("API key not valid", KEY, "cloudbilling.googleapis.com")
        .doesNotContain("another-key");
  }

  @Test
  void usesShippedPricesWithoutKey() {
    System.clearProperty(KEY);
    assertThat(offers().source()).contains("shipped prices");
    assertThat(catalog.requestedUrls()).isEmpty();
  }

  private OfferCatalog offers() {
    return offers("gcp/us-central1");
  }

  private OfferCatalog offers(String place) {
    InstantSource time = () -> now;
    try (CloudAccount account =
        new GcpCloudProvider()
            .account(new CloudContext(home, home.resolve("clouds.yaml"), time))
            .orElseThrow()) {
      return account.offers(List.of(place));
    }
  }

  private ComponentPrices prices() {
    return ComponentPrices.of(BillingCatalog.find().orElseThrow());
  }
}
