package io.elastune.provisioner.gcp.terraform;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.ObjectStore;
import io.elastune.provisioner.SignedUrl;
import io.elastune.provisioner.gcp.GcsStoreProvider;
import io.elastune.provisioner.gcp.fake.FakeStorage;
import io.elastune.provisioner.gcp.testing.TestCredentials;
import io.elastune.provisioner.terraform.TerraformModule;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Tests that the controller's role on its bucket suffices, and that each permission is required.
 */
@Isolated("sets system properties")
class CheckpointRoleTest {
  private static final String CREDENTIALS = "GOOGLE_APPLICATION_CREDENTIALS";
  private static final String ENDPOINT = "CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE";
  private static final String NAME = "runs/r-1/trials/1/weights";

  @TempDir private Path folder;
  private FakeStorage storage;

  @BeforeEach
  void start() throws IOException {
    storage = FakeStorage.start();
    System.setProperty(CREDENTIALS, TestCredentials.write(folder).toString());
    System.setProperty(ENDPOINT, storage.url() + "/storage/v1/");
  }

  @AfterEach
  void stop() {
    storage.close();
    System.clearProperty(CREDENTIALS);
    System.clearProperty(ENDPOINT);
  }

  private static Set<String> role() throws IOException {
    String text = Files.readString(TerraformModule.root().resolve("gcp/policies/checkpoints.yaml"));
    Set<String> permissions = new TreeSet<>();
    Matcher line = Pattern.compile("(?m)^  - ([A-Za-z.]+)").matcher(text);
    while (line.find()) {
      permissions.add(line.group(1));
    }
    return permissions;
  }

  @Test
  void roleSufficesAndEachPermissionIsRequired() throws Exception {
    storage.permissions().grant(role());
    useStore();
    assertThat(storage.permissions().denied()).as("missing in the role").isEmpty();
    assertThat(storage.permissions().used()).as("no more and no less").isEqualTo(role());

    for (String permission : role()) {
      Set<String> rest = new TreeSet<>(role());
      rest.remove(permission);
      storage.permissions().grant(rest);
      useStore();
      assertThat(storage.permissions().denied()).containsExactly(permission);
    }
  }

  private interface StoreCall {
    void call() throws Exception;
  }

  /** Makes every call of a run in its bucket, also if others are denied. */
  private void useStore() throws Exception {
    ObjectStore store = new GcsStoreProvider().open("ckpts", InstantSource.system());
    Path runtime = Files.writeString(folder.resolve("runtime.tar.gz"), "some");
    String[] upload = {"none"};
    List<StoreCall> calls =
        List.of(
            () -> store.check(NAME),
            () -> send("PUT", store.put(NAME)),
            () -> send("PUT", store.put(NAME)), // an upload that is repeated
            () -> store.upload("runtimes/some.tar.gz", runtime),
            () -> send("GET", store.get(NAME)),
            () -> upload[0] = store.beginUpload(NAME),
            () -> completeUpload(store, upload[0]),
            () -> store.abortUpload(NAME, store.beginUpload(NAME)),
            () -> store.list("runs/"),
            () -> store.unfinishedUploads("runs/"),
            () -> store.delete(NAME));
    for (StoreCall some : calls) {
      try {
        some.call();
      } catch (CloudException e) {
        assertThat(e).hasMessageContaining("ckpts");
      }
    }
  }

  private static void completeUpload(ObjectStore store, String upload) throws Exception {
    HttpResponse<Void> part = send("PUT", store.putPart(NAME, upload, 1));
    store.completeUpload(NAME, upload, List.of(part.headers().firstValue("ETag").orElse("none")));
  }

  private static HttpResponse<Void> send(String method, SignedUrl url) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(url.uri())
            .method(method, HttpRequest.BodyPublishers.ofString("some"))
            .build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.discarding());
  }
}
