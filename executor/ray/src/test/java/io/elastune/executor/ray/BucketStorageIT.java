package io.elastune.executor.ray;

import static io.elastune.executor.engine.TrialScripts.lib;
import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.properties.Tier;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.AttemptSpecBuilder;
import io.elastune.executor.engine.EngineEvent.Ended;
import io.elastune.provisioner.ObjectStore;
import io.elastune.provisioner.gcp.GcsStoreProvider;
import io.elastune.provisioner.gcp.fake.FakeStorage;
import io.elastune.provisioner.gcp.testing.TestCredentials;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Tests checkpoints in a bucket of a fake of Google Cloud Storage that verifies signatures. */
@EnabledOnOs(OS.LINUX)
@ResourceLock("system properties of Google Cloud Storage")
@Tag(Tier.NIGHTLY)
class BucketStorageIT extends StorageContract {
  private static final String CREDENTIALS = "GOOGLE_APPLICATION_CREDENTIALS";
  private static final String ENDPOINT = "CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE";

  /** A checkpoint that is uploaded in two parts, in a file with a long name in a subfolder. */
  static final String SAVE_LARGE =
      lib(
          """
          cd "$ELASTUNE_CHECKPOINT_DIR"; mkdir -p 1.tmp/sub
          name=sub/$(printf 'x%.0s' $(seq 120))é
          head -c 70000000 /dev/urandom > 1.tmp/$name
          sum=$(sha256sum < 1.tmp/$name | cut -c 1-64)
          echo '{"unit": 1, "files": [{"name": "'$name'", "size": 70000000, "sha256": "'$sum'"}]}' \
            > 1.tmp/manifest.json
          mv 1.tmp 1; report 1
          """);

  private final FakeStorage storage = start();

  private static FakeStorage start() {
    try {
      Path folder = Files.createTempDirectory("elastune-gcs");
      System.setProperty(CREDENTIALS, TestCredentials.write(folder).toString());
      FakeStorage made = FakeStorage.start();
      System.setProperty(ENDPOINT, made.url());
      return made;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @AfterEach
  void stop() {
    assertThat(storage.unfinished()).isZero();
    storage.close();
    System.clearProperty(CREDENTIALS);
    System.clearProperty(ENDPOINT);
  }

  @Override
  String location(int trial) {
    return "gs://" + storage.bucket() + "/some/prefix/run/trial-" + trial;
  }

  @Override
  List<Integer> stored(int trial) {
    String prefix = "some/prefix/run/trial-" + trial + "/";
    return storage.objects().keySet().stream()
        .filter(name -> name.startsWith(prefix))
        .map(name -> Integer.parseInt(name.substring(prefix.length()).replace(".tar", "")))
        .sorted()
        .toList();
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void largeCheckpointIsUploadedInParts() throws IOException {
    storage.breakNext(1);
    engine.start(spec("7-1-1", 0, 1, SAVE_LARGE, 1));
    Ended ended = awaitEnd("7-1-1");
    assertThat(ended.checkpoint()).as("%s %s", ended, events).hasValue(1);
    assertThat(storage.objects().get("some/prefix/run/trial-7/1.tar")).hasSizeGreaterThan(70000000);
    removeNodes();
    engine.start(spec("7-1-2", 1, 2, TRAIN, 1));

    assertThat(awaitEnd("7-1-2").exitCode()).isZero();
  }

  @Test
  void expiredUrlAndBrokenConnectionAreReplaced() {
    storage.expireNext(1);
    storage.breakNext(1);
    engine.start(spec(ATTEMPT, 0, 2, TRAIN, 1));

    assertThat(awaitEnd(ATTEMPT).checkpoint()).hasValue(2);
    assertThat(units()).containsExactly(1, 2);
    assertThat(events.faults(ATTEMPT)).isEmpty();
  }

  @Test
  void lastReportCountsOnlyWithItsStoredCheckpoint() throws IOException {
    storage.expireNext(1000);
    engine.start(spec(ATTEMPT, 0, 2, TRAIN, 1));
    Ended ended = awaitEnd(ATTEMPT);

    assertThat(units()).containsExactly(1);
    assertThat(ended.checkpoint()).isEmpty();
    assertThat(events.faults(ATTEMPT))
        .anyMatch(fault -> fault.contains("was not stored") && fault.contains("ExpiredToken"));
    assertThat(events.toString()).doesNotContain("Signature").doesNotContain("Credential");
    assertNoFileContains("X-Goog-");
  }

  @Test
  void changedArchiveIsNotUsed() throws IOException {
    engine.start(spec("7-1-1", 0, 2, TRAIN, 1));
    awaitEnd("7-1-1");
    String name = "some/prefix/run/trial-7/2.tar";
    byte[] archive = storage.objects().get(name);
    int weight = new String(archive, StandardCharsets.ISO_8859_1).indexOf("weights");
    archive[weight]++;
    removeNodes();
    engine.start(spec("7-1-2", 2, 3, TRAIN, 1));
    Ended ended = awaitEnd("7-1-2");

    assertThat(ended.exitCode()).isEqualTo(127);
    assertThat(ended.message()).contains("its file model does not match its checksum");
  }

  /** The archive is complete, and only its tag differs from that in the journal. */
  @Test
  void archiveThatWasReplacedIsNotUsed() {
    engine.start(spec("7-1-1", 0, 2, TRAIN, 1));
    String digest = awaitEnd("7-1-1").digests().get(2);
    engine.start(resuming("7-1-2", digest));
    Ended same = awaitEnd("7-1-2");
    engine.start(resuming("7-1-3", "other"));
    Ended other = awaitEnd("7-1-3");

    assertThat(same.exitCode()).as("%s %s", same, events).isZero();
    assertThat(other.message()).contains("is missing or torn");
    assertThat(other.digests()).doesNotContainKey(2);
    assertThat(events.faults("7-1-3").toString())
        .contains("checkpoint 2 is not the one that the trial has saved");
    assertThat(stored(7)).contains(2);
  }

  private AttemptSpec resuming(String attempt, String digest) {
    return AttemptSpecBuilder.builder(spec(attempt, 2, 3, TRAIN, 1))
        .keep(5)
        .digest(Optional.of(digest))
        .build();
  }

  @Test
  void uploadOfAnEarlierControllerIsAborted() throws Exception {
    ObjectStore store = new GcsStoreProvider().open(storage.bucket(), InstantSource.system());
    String unused = store.beginUpload("some/prefix/run/trial-7/1.tar");
    engine.start(spec(ATTEMPT, 0, 2, TRAIN, 1));

    assertThat(awaitEnd(ATTEMPT).exitCode()).isZero();
    assertThat(storage.unfinished()).isZero();
  }

  private void assertNoFileContains(String text) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
            .as(file.toString())
            .doesNotContain(text);
      }
    }
  }
}
