package io.elastune.provisioner.aws.terraform;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.ObjectStore;
import io.elastune.provisioner.SignedUrl;
import io.elastune.provisioner.aws.S3StoreProvider;
import io.elastune.provisioner.aws.fake.FakeBucket;
import io.elastune.provisioner.aws.fake.FakePolicy;
import io.elastune.provisioner.terraform.TerraformModule;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Tests that the controller's permissions for its bucket suffice, and that each is required. */
@Isolated("sets system properties of the AWS SDK")
class CheckpointPolicyTest {
  private static final String BUCKET = "elastune-checkpoints";
  private static final String NAME = "runs/r-1/trials/1/weights";

  @TempDir private Path folder;
  private FakePolicy policy = FakePolicy.parse("{}");
  private Map<String, String> properties = Map.of();

  @BeforeEach
  void read() throws IOException {
    policy =
        FakePolicy.parse(
            Files.readString(TerraformModule.root().resolve("aws/policies/checkpoints.json"))
                .replace("${bucket}", "arn:aws:s3:::" + BUCKET));
  }

  @AfterEach
  void clear() {
    properties.keySet().forEach(System::clearProperty);
  }

  @Test
  void policySufficesAndEachElementIsRequired() throws Exception {
    try (FakeBucket bucket = new FakeBucket(BUCKET, policy)) {
      properties =
          Map.of(
              "aws.endpointUrl", bucket.url(),
              "aws.accessKeyId", "test",
              "aws.secretAccessKey", "test",
              "aws.region", "us-east-1");
      properties.forEach(System::setProperty);

      useStore();
      Set<String> all =
          policy.lines().stream().map(FakePolicy.Line::action).collect(Collectors.toSet());
      assertThat(bucket.denied()).as("missing in the policy").isEmpty();
      assertThat(bucket.allowed()).as("required, no more and no less").isEqualTo(all);

      for (FakePolicy.Line line : policy.lines()) {
        bucket.restrict(policy.without(line));
        useStore();
        assertThat(bucket.denied()).containsExactly(line.action());
      }
      assertThat(policy.wider()).as("conditions").isEmpty();
      for (FakePolicy narrower : policy.narrower().values()) {
        bucket.restrict(narrower);
        useStore();
        assertThat(bucket.denied()).isNotEmpty();
      }
    }
  }

  private interface StoreCall {
    void call() throws Exception;
  }

  /** Makes every call of a run in its bucket, also if others are denied. */
  private void useStore() throws Exception {
    ObjectStore store = new S3StoreProvider().open(BUCKET, InstantSource.system());
    Path runtime = Files.writeString(folder.resolve("runtime.tar.gz"), "some");
    List<StoreCall> calls =
        List.of(
            () -> store.check(NAME),
            () -> send("PUT", store.put(NAME)),
            () -> store.upload("runtimes/some.tar.gz", runtime),
            () -> send("GET", store.get(NAME)),
            () -> store.beginUpload(NAME),
            () -> send("PUT", store.putPart(NAME, "u1", 1)),
            () -> store.completeUpload(NAME, "u1", List.of("tag")),
            () -> store.abortUpload(NAME, "u1"),
            () -> store.list("runs/"),
            () -> store.unfinishedUploads("runs/"),
            () -> store.delete(NAME));
    for (StoreCall some : calls) {
      try {
        some.call();
      } catch (CloudException e) {
        assertThat(e).hasMessageContaining("s3:");
      }
    }
  }

  private static void send(String method, SignedUrl url) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(url.uri())
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build();
    HttpClient.newHttpClient().send(request, BodyHandlers.discarding());
  }
}
