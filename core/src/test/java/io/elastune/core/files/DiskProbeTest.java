package io.elastune.core.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Disks that are not full; FullDiskIT fills some. */
class DiskProbeTest {
  @TempDir Path folder;

  @Test
  void probeLeavesNoFile() throws IOException {
    assertThat(DiskProbe.firstFull(List.of(folder, folder.resolve("missing")))).isEmpty();
    try (var files = Files.list(folder)) {
      assertThat(files).isEmpty();
    }
  }

  /** No file can be created, but for another reason. */
  @Test
  void fileInsteadOfFolderIsNotFull() throws IOException {
    assertThat(DiskProbe.isFull(Files.createFile(folder.resolve("file")))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "OSError: [Errno 28] No space left on device",
        "ResourceExhaustedError: disk quota exceeded [Op:SaveV2]",
        "Error: ENOSPC: write",
        "[enforce fail at inline_container.cc:603] . unexpected pos 64 vs 0",
      })
  void outputSuggestsFullDisk(String output) {
    assertThat(DiskProbe.isSuggestedBy(output)).isTrue();
  }

  @Test
  void otherOutputDoesNot() {
    assertThat(DiskProbe.isSuggestedBy("the disk is fine\nKeyError: 128")).isFalse();
  }
}
