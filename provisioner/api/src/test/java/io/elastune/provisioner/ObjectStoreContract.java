package io.elastune.provisioner;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elastune.provisioner.ObjectStore.StoredObject;
import io.elastune.provisioner.ObjectStore.UnfinishedUpload;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what every bucket must do, over HTTP and with the URLs that nodes get. */
public abstract class ObjectStoreContract {
  private static final String NAME = "runs/a b+c~(1)/trial-7/4.tar";
  private static final int PART_BYTES = 5 << 20;

  /** Opens a bucket of the service under test. */
  protected abstract ObjectStore open(String bucket, InstantSource time);

  /** Returns the name of an existing, empty bucket. */
  protected abstract String bucket();

  private ObjectStore store() {
    return open(bucket(), InstantSource.system());
  }

  private static Map<String, Long> sizes(ObjectStore store) {
    return store.list("runs/").stream()
        .collect(Collectors.toMap(StoredObject::name, StoredObject::size));
  }

  @Test
  void signedUrlsTransferObject() throws Exception {
    ObjectStore store = store();

    assertThat(put(store.put(NAME), "weights".getBytes(UTF_8)).statusCode()).isEqualTo(200);
    assertThat(send(HttpRequest.newBuilder(store.get(NAME).uri())).body()).isEqualTo("weights");
    assertThat(sizes(store)).isEqualTo(Map.of(NAME, 7L));
    store.delete(NAME);
    store.delete(NAME);
    assertThat(store.list("runs/")).isEmpty();
  }

  @Test
  void uploadStoresFile(@TempDir Path folder) throws Exception {
    ObjectStore store = store();
    Path file = folder.resolve("archive");
    Set<String> tags = new HashSet<>();
    for (String text : List.of("first", "the second replaces it")) {
      Files.writeString(file, text);
      store.upload(NAME, file);

      assertThat(send(HttpRequest.newBuilder(store.get(NAME).uri())).body()).isEqualTo(text);
      assertThat(sizes(store)).isEqualTo(Map.of(NAME, (long) text.length()));
      tags.add(store.list(NAME).get(0).tag());
    }
    assertThat(tags).hasSize(2).doesNotContain("");
    store.delete(NAME);
    assertThatThrownBy(() -> open("no-such-bucket", InstantSource.system()).upload(NAME, file))
        .isInstanceOf(CloudException.class)
        .hasMessageContaining("NoSuchBucket");
  }

  @Test
  void uploadInPartsExistsOnceCompleted() throws Exception {
    ObjectStore store = store();
    String upload = store.beginUpload(NAME);
    String first = tag(put(store.putPart(NAME, upload, 1), new byte[PART_BYTES]));
    String second = tag(put(store.putPart(NAME, upload, 2), new byte[3]));

    assertThat(store.list("runs/")).isEmpty();
    assertThat(store.unfinishedUploads("runs/"))
        .containsExactly(new UnfinishedUpload(NAME, upload));
    store.completeUpload(NAME, upload, List.of(first, second));
    assertThat(sizes(store)).isEqualTo(Map.of(NAME, PART_BYTES + 3L));
    assertThat(store.unfinishedUploads("runs/")).isEmpty();
    store.delete(NAME);
  }

  @Test
  void abortedUploadLeavesNothing() throws Exception {
    ObjectStore store = store();
    String upload = store.beginUpload(NAME);
    put(store.putPart(NAME, upload, 1), new byte[3]);
    store.abortUpload(NAME, upload);
    store.abortUpload(NAME, upload);

    assertThat(store.unfinishedUploads("")).isEmpty();
    assertThat(store.list("")).isEmpty();
  }

  @Test
  void listHasAllPages() throws Exception {
    ObjectStore store = store();
    for (int i = 1; i <= 5; i++) {
      put(store.put("runs/" + i), new byte[i]);
    }

    assertThat(sizes(store)).hasSize(5).containsEntry("runs/5", 5L);
    store.list("").forEach(object -> store.delete(object.name()));
  }

  @Test
  void checkLeavesNothing() {
    ObjectStore store = store();
    store.check("some/name");

    assertThat(store.list("")).isEmpty();
    assertThat(store.unfinishedUploads("")).isEmpty();
  }

  @Test
  void missingBucketIsNamed() {
    assertThatThrownBy(() -> open("no-such-bucket", InstantSource.system()).list(""))
        .isInstanceOf(CloudException.class)
        .hasMessageContaining("no-such-bucket")
        .hasMessageContaining("NoSuchBucket");
  }

  @Test
  void textOfUrlHasNoSignature() {
    SignedUrl url = store().put(NAME);

    assertThat(url.uri().toString()).contains("Signature");
    assertThat(url.toString()).doesNotContain("Signature").doesNotContain("Credential");
  }

  /** Sends a PUT as a node does. */
  protected static HttpResponse<String> put(SignedUrl url, byte[] data) throws Exception {
    return send(
        HttpRequest.newBuilder(url.uri()).PUT(HttpRequest.BodyPublishers.ofByteArray(data)));
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static String tag(HttpResponse<String> response) {
    return response.headers().firstValue("ETag").orElseThrow();
  }
}
