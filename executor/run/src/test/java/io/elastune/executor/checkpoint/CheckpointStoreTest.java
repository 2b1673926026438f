package io.elastune.executor.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.checkpoint.CheckpointStore.CleanupResult;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointStoreTest {
  private static final int NO_LIMIT = 1000;

  @TempDir private Path folder;
  private CheckpointStore store;

  @BeforeEach
  void createStore() {
    store = new CheckpointStore(folder);
  }

  @Test
  void emptyStoreHasNoNewest() throws IOException {
    assertThat(store.cleanUp(2, Set.of(0), NO_LIMIT).newest()).isEmpty();
    assertThat(new CheckpointStore(folder.resolve("nowhere")).completeUnits()).isEmpty();
  }

  @Test
  void newestAreFoundByNumber() throws IOException {
    whole(2, 9, 10, 11);
    CleanupResult cleanupResult = store.cleanUp(2, Set.of(0), NO_LIMIT);

    assertThat(cleanupResult.newest()).hasValue(11);
    assertThat(names()).containsExactlyInAnyOrder("10", "11");
  }

  /** The names of a trial are part of no path until they are checked. */
  @Test
  void namesWithControlCharactersAreTorn() throws IOException {
    for (String name : List.of("a\\u0000b", "a\\u001bb", "a\\u009bb")) {
      Files.createDirectories(folder.resolve("3"));
      Files.writeString(
          folder.resolve("3/manifest.json"),
          "{\"unit\": 3, \"files\": [{\"name\": \""
              + name
              + "\", \"size\": 1, \"sha256\": \"x\"}]}");
      CleanupResult result = store.cleanUp(1, Set.of(0), NO_LIMIT);

      assertThat(result.torn()).isTrue();
      assertThat(result.problems())
          .containsExactly(
              "checkpoint 3 is torn: the name of one of its files has a control character");
    }
  }

  @Test
  void manifestsHaveLimits() throws IOException {
    Path manifest = Files.createDirectories(folder.resolve("3")).resolve("manifest.json");
    try (RandomAccessFile sparse = new RandomAccessFile(manifest.toFile(), "rw")) {
      sparse.setLength(3L << 30);
    }
    assertThat(store.cleanUp(1, Set.of(0), NO_LIMIT).problems())
        .singleElement()
        .asString()
        .contains("larger than 4 MiB");

    Files.createDirectories(folder.resolve("3"));
    String entry = "{\"name\": \"a\", \"size\": 1, \"sha256\": \"x\"}";
    Files.writeString(
        manifest,
        "{\"unit\": 3, \"files\": [" + String.join(",", Collections.nCopies(10_001, entry)) + "]}");
    assertThat(store.cleanUp(1, Set.of(0), NO_LIMIT).problems())
        .singleElement()
        .asString()
        .contains("more than 10000 files");

    Files.createDirectories(folder.resolve("3"));
    Files.writeString(manifest, "[".repeat(100_000));
    assertThat(store.cleanUp(1, Set.of(0), NO_LIMIT).torn()).isTrue();
  }

  @Test
  void foldersWithoutAccessAreDeleted() throws IOException {
    Path closed = Files.createDirectories(folder.resolve("9.tmp/x/y"));
    Files.writeString(closed.resolve("file"), "x");
    Files.setPosixFilePermissions(closed, Set.of());
    Files.setPosixFilePermissions(closed.getParent(), Set.of());
    whole(2);
    CleanupResult result = store.cleanUp(1, Set.of(0), NO_LIMIT);

    assertThat(result.problems()).isEmpty();
    assertThat(result.newest()).hasValue(2);
    assertThat(names()).containsExactly("2");
  }

  @Test
  void neededCheckpointIsKept() throws IOException {
    whole(2, 3, 4, 5);
    store.cleanUp(1, Set.of(3), NO_LIMIT);

    assertThat(names()).containsExactlyInAnyOrder("3", "5");
  }

  @Test
  void keepZeroStillKeepsTheNewest() throws IOException {
    whole(1, 2);
    store.cleanUp(0, Set.of(0), NO_LIMIT);

    assertThat(names()).containsExactly("2");
  }

  @Test
  void tornCheckpointsDoNotCountAsKept() throws IOException {
    whole(1, 2, 3);
    torn(4);
    CleanupResult cleanupResult = store.cleanUp(2, Set.of(0), NO_LIMIT);

    assertThat(cleanupResult.newest()).hasValue(3);
    assertThat(cleanupResult.torn()).isTrue();
    assertThat(cleanupResult.problems())
        .singleElement()
        .asString()
        .contains("checkpoint 4 is torn");
    assertThat(names()).containsExactlyInAnyOrder("2", "3", "4.torn");
  }

  @Test
  void olderTornCheckpointIsReportedOnly() throws IOException {
    torn(3);
    whole(4);
    CleanupResult cleanupResult = store.cleanUp(2, Set.of(0), NO_LIMIT);

    assertThat(cleanupResult.torn()).isFalse();
    assertThat(cleanupResult.problems()).hasSize(1);
  }

  @Test
  void tornCopyIsReplacedThenDeleted() throws IOException {
    torn(4);
    store.cleanUp(2, Set.of(0), NO_LIMIT);
    torn(4);
    store.cleanUp(2, Set.of(0), NO_LIMIT);
    assertThat(names()).containsExactly("4.torn");
    whole(4);
    store.cleanUp(2, Set.of(0), NO_LIMIT);
    assertThat(names()).containsExactly("4");
  }

  @Test
  void checkpointsBeyondTheLimitAreKeptAndDoNotCount() throws IOException {
    whole(3, 4, 5, 6);
    CleanupResult cleanupResult = store.cleanUp(1, Set.of(0), 4);

    assertThat(cleanupResult.complete()).containsExactly(4);
    assertThat(cleanupResult.unreported()).containsExactly(5);
    assertThat(cleanupResult.torn()).isFalse();
    assertThat(names()).containsExactlyInAnyOrder("4", "5");
  }

  @Test
  void tornCheckpointsBeyondTheLimitAreDeleted() throws IOException {
    whole(4);
    torn(5);
    CleanupResult cleanupResult = store.cleanUp(1, Set.of(0), 4);

    assertThat(cleanupResult.unreported()).isEmpty();
    assertThat(names()).containsExactly("4");
  }

  @Test
  void onlyTemporaryFoldersAreDeleted() throws IOException {
    Files.createDirectories(folder.resolve("7.tmp/deep"));
    Files.createDirectory(folder.resolve("best"));
    Files.createDirectory(folder.resolve("007"));
    Files.writeString(folder.resolve("8"), "a file");
    store.cleanUp(2, Set.of(0), NO_LIMIT);

    assertThat(names()).containsExactlyInAnyOrder("best", "007", "8");
  }

  @Test
  void digestsAreThoseOfTheManifests() throws IOException {
    whole(2, 3);
    Map<Integer, String> digests = store.cleanUp(2, Set.of(0), NO_LIMIT).digests();

    assertThat(digests).containsOnlyKeys(2, 3);
    assertThat(digests.get(2)).hasSize(64).isNotEqualTo(digests.get(3));
    assertThat(store.cleanUp(2, Set.of(0), NO_LIMIT).digests()).isEqualTo(digests);
  }

  /** It is complete, and only its digest differs. */
  @Test
  void aReplacedCheckpointDoesNotCount() throws IOException {
    whole(2, 3);
    String digest = store.cleanUp(2, Set.of(0), NO_LIMIT).digests().get(3);
    assertThat(store.reject(3, digest)).isEmpty();
    assertThat(store.reject(4, digest)).as("there is none").isEmpty();

    Files.writeString(folder.resolve("3/manifest.json"), "{\"files\": [], \"unit\": 3}");
    assertThat(store.isComplete(3)).isTrue();
    assertThat(store.reject(3, digest))
        .hasValueSatisfying(text -> assertThat(text).contains("has been replaced"));
    assertThat(store.cleanUp(2, Set.of(0), NO_LIMIT).newest()).hasValue(2);
  }

  private String[] names() {
    return folder.toFile().list();
  }

  private void whole(int... units) throws IOException {
    for (int unit : units) {
      Path path = Files.createDirectory(folder.resolve(Integer.toString(unit)));
      Files.writeString(path.resolve("manifest.json"), "{\"unit\": " + unit + ", \"files\": []}");
    }
  }

  private void torn(int unit) throws IOException {
    Files.createDirectory(folder.resolve(Integer.toString(unit)));
  }
}
