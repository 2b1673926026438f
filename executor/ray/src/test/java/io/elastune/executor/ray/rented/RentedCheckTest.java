package io.elastune.executor.ray.rented;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.offer.OfferCatalog;
import io.elastune.provisioner.CheckResult;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudProvider;
import io.elastune.provisioner.gcp.fake.FakeStorage;
import io.elastune.provisioner.gcp.testing.TestCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Checks what {@code check} says about the runtime of instances. */
@ResourceLock("system properties of Google Cloud Storage")
class RentedCheckTest {
  private static final String CREDENTIALS = "GOOGLE_APPLICATION_CREDENTIALS";
  private static final String ENDPOINT = "CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE";
  private static final String SUM = "ab".repeat(32);
  private static final String RUNTIME =
      "Python 3.11.3 and Ray 2.58.0 from the node runtime (2 MB, x86_64, glibc 2.17 or newer), which ";

  @TempDir private Path home;
  private FakeStorage storage;

  /** A provider whose settings name a bucket, or none. */
  private record OneBucket(Optional<String> url) implements CloudProvider {
    @Override
    public String name() {
      return "gcp";
    }

    @Override
    public Optional<OfferCatalog> builtInOffers(List<String> places) {
      return Optional.empty();
    }

    @Override
    public Optional<String> bucket(CloudContext context, List<String> places) {
      return url.filter(some -> places.equals(List.of("gcp/us-central1")));
    }

    @Override
    public Cloud open(CloudContext context, Consumer<CloudEvent> events) {
      throw new UnsupportedOperationException("check starts nothing");
    }
  }

  @BeforeEach
  void start() throws IOException {
    storage = FakeStorage.start();
    System.setProperty(CREDENTIALS, TestCredentials.write(home).toString());
    System.setProperty(ENDPOINT, storage.url());
  }

  @AfterEach
  void stop() {
    storage.close();
    System.clearProperty(CREDENTIALS);
    System.clearProperty(ENDPOINT);
  }

  private void build() throws IOException {
    Path folder = Files.createDirectories(home.resolve("runtimes/python3.11.3-ray2.58.0-abab"));
    Files.write(folder.resolve("runtime.tar.gz"), new byte[2_000_000]);
    Files.writeString(
        folder.resolve("runtime.json"),
        """
        {"contents": "Python 3.11.3 and Ray 2.58.0", "sha256": "%s", "architecture": "x86_64",
         "glibc": "2.17", "built": "2026-01-01T00:00:00Z"}
        """
            .formatted(SUM));
  }

  private CheckResult check(String bucket) {
    CloudProvider provider = new OneBucket(Optional.of(bucket).filter(some -> !some.isEmpty()));
    return RentedCheck.check(
            new CloudContext(home, home.resolve("clouds.yaml"), InstantSource.system()),
            provider,
            List.of("gcp/us-central1"))
        .stream()
        .filter(result -> result.check().equals("Ray on instances"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void saysWhereInstancesGetTheRuntimeFrom() throws IOException {
    build();
    assertThat(check("").detail()).isEqualTo(RUNTIME + "this machine sends: no bucket");
    assertThat(check("gs://ckpts").detail())
        .isEqualTo(RUNTIME + "the next run stores in gs://ckpts");
    assertThat(storage.objects()).isEmpty();

    storage.objects().put("runtimes/" + SUM + ".tar.gz", new byte[2_000_000]);
    assertThat(check("gs://ckpts").detail()).isEqualTo(RUNTIME + "is in gs://ckpts");
    assertThat(check("gs://ckpts").ok()).isTrue();
  }

  @Test
  void bucketThatCannotBeUsedIsNamed() throws IOException {
    build();
    storage.permissions().grant(Set.of());
    CheckResult result = check("gs://ckpts");

    assertThat(result.ok()).isTrue();
    assertThat(result.detail())
        .startsWith(RUNTIME + "this machine sends, as gs://ckpts cannot be used: ")
        .contains("AccessDenied");
  }

  @Test
  void missingRuntimeIsNamedWithItsRemedy() {
    CheckResult result = check("gs://ckpts");

    assertThat(result.ok()).isFalse();
    assertThat(result.detail()).contains("need the node runtime", "Nothing was rented");
    assertThat(result.remedy()).contains("elastune runtime build");
  }

  @Test
  void interpreterOfTheImageNeedsNoBucket() throws IOException {
    build();
    Files.writeString(home.resolve("clouds.yaml"), "rented_nodes: {python: /opt/ray/bin/python}\n");

    assertThat(check("gs://no-such-bucket").detail()).startsWith("/opt/ray/bin/python of their");
  }
}
