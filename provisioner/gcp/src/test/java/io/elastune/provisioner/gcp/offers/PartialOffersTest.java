package io.elastune.provisioner.gcp.offers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.offer.Quota;
import io.elastune.provisioner.CloudAccount;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.gcp.GcpCloudProvider;
import io.elastune.provisioner.gcp.fake.FakeCatalog;
import io.elastune.provisioner.gcp.testing.GcpTestEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a failing part of live offers does not discard the others. */
class PartialOffersTest {
  private static final String KEY = "ELASTUNE_GCP_PRICE_KEY";
  private static final String ENDPOINT = "CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDBILLING";
  private static final String A2 = "gcp/us-central1/a2-highgpu-1g/on-demand";

  @RegisterExtension private final GcpTestEnvironment world = new GcpTestEnvironment();
  @TempDir private Path home;

  @AfterEach
  void clear() {
    System.clearProperty(KEY);
    System.clearProperty(ENDPOINT);
  }

  @Test
  void shippedPricesReplaceAnUnavailableCatalog() throws IOException {
    String live = offers().source();
    try (FakeCatalog catalog = new FakeCatalog()) {
      System.setProperty(KEY, "wrong");
      System.setProperty(ENDPOINT, catalog.url());
      OfferCatalog found = offers();
      assertThat(found.source()).isEqualTo(live);
      assertThat(found.find(A2).orElseThrow().usdPerHour()).isEqualTo(3.673385);
      assertThat(found.replacementDate(A2)).hasValue("2026-07-30");
      assertThat(found.quotas()).isNotEmpty();
      assertThat(found.notes())
          .anyMatch(
              note ->
                  note.startsWith("Google's catalog prices are unavailable: ")
                      && note.endsWith("shipped prices are used, marked ~ with their date"))
          .anyMatch(
              note ->
                  note.startsWith("Not offered in us-central1, because no price is known: ")
                      && note.contains("n1-standard-8+1xnvidia-tesla-t4")
                      && note.contains("a4x-highgpu-4g"));
    }
  }

  @Test
  void tableReplacesUnavailableTypes() {
    world.fake().deny(Set.of("compute.machineTypes.list"));
    OfferCatalog found = offers();
    assertThat(found.find(A2)).isPresent();
    assertThat(found.quotas()).extracting(Quota::name).contains("NVIDIA_A100_GPUS in us-central1");
    assertThat(found.notes())
        .singleElement()
        .asString()
        .startsWith("Machine types of us-central1 are unavailable: ")
        .contains("compute.machineTypes.list");
  }

  @Test
  void unavailableQuotasDoNotDiscardOffers() {
    world.fake().deny(Set.of("compute.regions.get"));
    OfferCatalog found = offers();
    assertThat(found.offers()).isNotEmpty();
    assertThat(found.quotas()).extracting(Quota::name).containsExactly("GPUS_ALL_REGIONS");
    assertThat(found.notes()).singleElement().asString().contains("Quotas of us-central1");
  }

  @Test
  void plansCountGpusThatOnlyCloudQuotasReports() {
    world.fake().services().family("NVIDIA_H100", "us-central1", 16);
    assertThat(quota("NVIDIA_H100 in us-central1 (usage unknown)").limit()).isEqualTo(16);
    assertThat(offers().notes()).isEmpty();
    world.fake().services().disable("cloudquotas");
    OfferCatalog found = offers();
    assertThat(found.quotas()).extracting(Quota::name).noneMatch(name -> name.contains("H100"));
    assertThat(found.notes())
        .singleElement()
        .asString()
        .startsWith("Quotas of H100 and newer GPUs are unavailable: ")
        .contains("gcloud services enable cloudquotas.googleapis.com");
  }

  private Quota quota(String name) {
    return offers().quotas().stream()
        .filter(some -> some.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void failsIfNoQueryIsAnswered() {
    world.fake().allow(Set.of());
    assertThatThrownBy(this::offers).isInstanceOf(CloudException.class);
  }

  @Test
  void disksAndAddressesAreThoseOfTheSettings() throws IOException {
    assertThat(offers().find(A2).map(Offer::diskUsdPerHour)).hasValue(100 * 0.10 / 730);
    Files.writeString(
        home.resolve("clouds.yaml"),
        """
        gcp:
          project: my-project
          regions:
            us-central1: {image: i, subnetwork: own, disk_gb: 500, public_address: true}
        """);
    assertThat(offers().find(A2).map(Offer::diskUsdPerHour)).hasValue(500 * 0.10 / 730 + 0.005);
  }

  private OfferCatalog offers() {
    CloudContext context =
        new CloudContext(home, home.resolve("clouds.yaml"), GcpTestEnvironment.TIME);
    try (CloudAccount account = new GcpCloudProvider().account(context).orElseThrow()) {
      return account.offers(List.of("gcp/us-central1"));
    }
  }
}
