package io.elastune.cli.wheel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WheelWriterTest {
  @TempDir Path folder;

  @Test
  void recordListsEveryFileWithItsChecksumAndSize() throws Exception {
    Path wheel = write("one");
    assertThat(wheel.getFileName()).hasToString("elastune_aws-1.2-py3-none-any.whl");
    try (FileSystem zip = open(wheel)) {
      // printf text | sha256sum, in base64
      assertThat(Files.readString(zip.getPath("elastune_aws-1.2.dist-info/RECORD")))
          .contains("a/program,sha256=mC2ePrmW9VnmM_TRlN7zdh2Qn1o7ZH0ahR_q1nwyydE,4\n")
          .contains("elastune_aws-1.2.dist-info/METADATA,sha256=")
          .contains("elastune_aws-1.2.dist-info/WHEEL,sha256=")
          .endsWith("elastune_aws-1.2.dist-info/RECORD,,\n");
      assertThat(Files.readString(zip.getPath("elastune_aws-1.2.dist-info/METADATA")))
          .isEqualTo("Metadata-Version: 2.1\nName: elastune-aws\nVersion: 1.2\nSummary: any\n");
      assertThat(Files.readString(zip.getPath("elastune_aws-1.2.dist-info/WHEEL")))
          .contains("Tag: py3-none-any\n");
      assertThat(permissions(zip, "a/program")).contains(PosixFilePermission.OTHERS_EXECUTE);
      assertThat(permissions(zip, "a/file"))
          .isEqualTo(PosixFilePermissions.fromString("rw-r--r--"));
    }
  }

  @Test
  void bytesDependOnlyOnTheContents() throws Exception {
    assertThat(write("one")).hasSameBinaryContentAs(write("two"));
  }

  @Test
  void fileCannotBeThereTwice() {
    WheelWriter wheel = new WheelWriter("elastune", "1", "any").add("a", "text");
    assertThatThrownBy(() -> wheel.add("a", "other")).hasMessageContaining("twice");
  }

  private Path write(String name) throws Exception {
    return new WheelWriter("elastune-aws", "1.2", "any")
        .add("a/program", "text".getBytes(UTF_8), true)
        .add("a/file", "")
        .write(Files.createDirectories(folder.resolve(name)), "Summary: any\n");
  }

  private static FileSystem open(Path wheel) throws Exception {
    return FileSystems.newFileSystem(wheel, Map.of("enablePosixFileAttributes", "true"));
  }

  private static Set<PosixFilePermission> permissions(FileSystem zip, String file)
      throws Exception {
    return Files.getPosixFilePermissions(zip.getPath(file));
  }
}
