package io.elastune.executor.ray.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elastune.executor.engine.NodeRuntime;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.gcp.fake.FakeStorage;
import io.elastune.provisioner.gcp.testing.TestCredentials;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Stores runtimes in a fake of Google Cloud Storage that verifies signatures. */
@ResourceLock("system properties of Google Cloud Storage")
class RuntimeBucketTest {
  private static final String CREDENTIALS = "GOOGLE_APPLICATION_CREDENTIALS";
  private static final String ENDPOINT = "CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE";
  private static final String NAME = "runtimes/" + "ab".repeat(32) + ".tar.gz";

  @TempDir private Path folder;
  private FakeStorage storage;
  private NodeRuntime runtime;
  private Instant now = Instant.now();

  @BeforeEach
  void start() throws IOException {
    storage = FakeStorage.start();
    System.setProperty(CREDENTIALS, TestCredentials.write(folder).toString());
    System.setProperty(ENDPOINT, storage.url());
    Path archive = Files.write(folder.resolve("runtime.tar.gz"), new byte[100_000]);
    runtime =
        new NodeRuntime(
            "python3.11.3-ray2.58.0-abab",
            folder,
            archive,
            "ab".repeat(32),
            Files.size(archive),
            "x86_64",
            "Python 3.11.3 and Ray 2.58.0",
            "2.17",
            Instant.EPOCH);
  }

  @AfterEach
  void stop() {
    storage.close();
    System.clearProperty(CREDENTIALS);
    System.clearProperty(ENDPOINT);
  }

  private RuntimeBucket bucket() {
    InstantSource time = () -> now;
    return new RuntimeBucket("gs://" + storage.bucket(), runtime, time);
  }

  private RuntimeBucket stored() {
    RuntimeBucket bucket = bucket();
    bucket.store();
    return bucket;
  }

  private static byte[] get(URI url) throws Exception {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(url).build(), BodyHandlers.ofByteArray())
        .body();
  }

  @Test
  void storedRuntimeHasUrl() throws Exception {
    RuntimeBucket bucket = bucket();
    assertThat(bucket.isStored()).isFalse();
    assertThat(bucket.url()).isEmpty();

    bucket.store();
    assertThat(bucket.isStored()).isTrue();
    assertThat(get(bucket.url().orElseThrow())).isEqualTo(Files.readAllBytes(runtime.archive()));
    assertThat(storage.objects()).containsOnlyKeys(NAME);
    assertThat(bucket.toString()).isEqualTo("gs://ckpts");
  }

  /** An instance may boot days after the start of its run, when the first URL has expired. */
  @Test
  void eachUrlIsNew() throws Exception {
    RuntimeBucket bucket = stored();
    URI first = bucket.url().orElseThrow();
    now = now.plusSeconds(2);
    URI second = bucket.url().orElseThrow();

    assertThat(second).isNotEqualTo(first);
    assertThat(get(second)).hasSize(100_000);
    assertThat(second.getQuery()).contains("X-Goog-Expires=900");
  }

  @Test
  void isStoredOncePerVersion() {
    var unused = stored();
    byte[] first = storage.objects().get(NAME);
    storage.permissions().grant(Set.of("storage.objects.list", "storage.objects.get"));

    assertThat(stored().url()).isPresent();
    assertThat(storage.objects().get(NAME)).isSameAs(first);
  }

  /** No upload of this interface leaves such an object, but other programs may. */
  @Test
  void objectOfOtherSizeIsReplaced() {
    storage.objects().put(NAME, new byte[10]);

    assertThat(bucket().isStored()).isFalse();
    assertThat(stored().url()).isPresent();
    assertThat(storage.objects().get(NAME)).hasSize(100_000);
  }

  @Test
  void concurrentControllersStoreTheSame() {
    List<RuntimeBucket> buckets = Stream.generate(this::bucket).limit(4).toList();
    buckets.parallelStream().forEach(RuntimeBucket::store);

    assertThat(buckets).allMatch(bucket -> bucket.url().isPresent());
    assertThat(storage.objects()).containsOnlyKeys(NAME);
  }

  @Test
  void uploadThatFailsOnceIsRepeated() {
    storage.breakNext(1);

    assertThat(stored().url()).isPresent();
  }

  @Test
  void withoutPermissionThereIsNoUrl() {
    storage.permissions().grant(Set.of("storage.objects.list"));
    assertThat(stored().url()).isEmpty();
    assertThat(storage.objects()).isEmpty();

    storage.permissions().grant(Set.of());
    assertThat(stored().url()).isEmpty();
    assertThatThrownBy(() -> bucket().isStored())
        .isInstanceOf(CloudException.class)
        .hasMessageContaining("gs://ckpts");
    RuntimeBucket missing = new RuntimeBucket("gs://no-such-bucket", runtime, () -> now);
    missing.store();
    assertThat(missing.url()).isEmpty();
  }

  /** The run ends before its first instance needs the runtime. */
  @Test
  void interruptedUploadIsNoProblem() {
    Thread.currentThread().interrupt();
    try {
      assertThat(bucket().tryStore()).isEmpty();
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(storage.objects()).isEmpty();
    storage.permissions().grant(Set.of("storage.objects.list"));
    assertThat(bucket().tryStore()).get().asString().contains("was not stored in gs://ckpts, so");
  }

  /** Such as by {@code elastune runtime rm} during the start of the run. */
  @Test
  void removedRuntimeIsNotStored() throws IOException {
    Files.delete(runtime.archive());

    assertThat(stored().url()).isEmpty();
    assertThat(storage.objects()).isEmpty();
  }

  /** Such as by the lifecycle rule of the bucket, or after the login has ended. */
  @Test
  void runtimeThatIsNotReadableAnyMoreHasNoUrl() {
    RuntimeBucket bucket = stored();
    storage.permissions().grant(Set.of());
    assertThat(bucket.url()).isEmpty();

    storage.permissions().grant(Set.of("storage.objects.list"));
    assertThat(bucket.url()).isPresent();
    storage.objects().clear();
    assertThat(bucket.url()).isEmpty();
  }
}
