package io.elastune.executor.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointTest {
  /** The checksum of "abc". */
  private static final String SHA256 =
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  @TempDir private Path folder;

  @BeforeEach
  void createModel() throws IOException {
    Files.createDirectory(folder.resolve("deep"));
    Files.writeString(folder.resolve("deep/model"), "abc");
  }

  @Test
  void completeIfAllFilesMatch() throws IOException {
    manifest(4, "deep/model", 3, SHA256);
    assertThat(Checkpoint.problem(folder, 4)).isEmpty();
  }

  @Test
  void tornWithoutAValidManifest() throws IOException {
    assertThat(Checkpoint.problem(folder, 4)).get().asString().contains("no manifest");
    Files.writeString(folder.resolve("manifest.json"), "{\"unit\": 4, \"files\": [{\"na");
    assertThat(Checkpoint.problem(folder, 4)).get().asString().contains("not JSON");
    Files.writeString(folder.resolve("manifest.json"), "");
    assertThat(Checkpoint.problem(folder, 4)).isPresent();
    Files.writeString(folder.resolve("manifest.json"), "{\"unit\": 4}");
    assertThat(Checkpoint.problem(folder, 4)).isPresent();
    Files.writeString(folder.resolve("manifest.json"), "{\"unit\": 4, \"files\": [{}]}");
    assertThat(Checkpoint.problem(folder, 4)).isPresent();
  }

  @Test
  void tornIfTheUnitDiffers() throws IOException {
    manifest(5, "deep/model", 3, SHA256);
    assertThat(Checkpoint.problem(folder, 4)).get().asString().contains("belongs to unit 5");
  }

  @Test
  void tornIfAFileIsMissingOrDiffers() throws IOException {
    manifest(4, "model", 3, SHA256);
    assertThat(Checkpoint.problem(folder, 4)).get().asString().contains("model is missing");
    manifest(4, "deep/model", 4, SHA256);
    assertThat(Checkpoint.problem(folder, 4)).get().asString().contains("3 bytes instead of 4");
    manifest(4, "deep/model", 3, SHA256.replace('b', 'c'));
    assertThat(Checkpoint.problem(folder, 4)).get().asString().contains("checksum");
  }

  @Test
  void filesOutsideTheFolderAreRejected() throws IOException {
    manifest(4, "../../etc/passwd", 3, SHA256);
    assertThat(Checkpoint.problem(folder, 4)).get().asString().contains("outside");
  }

  private void manifest(int unit, String name, long size, String sum) throws IOException {
    String file =
        "{\"name\": \"" + name + "\", \"size\": " + size + ", \"sha256\": \"" + sum + "\"}";
    Files.writeString(
        folder.resolve("manifest.json"), "{\"unit\": " + unit + ", \"files\": [" + file + "]}");
  }
}
