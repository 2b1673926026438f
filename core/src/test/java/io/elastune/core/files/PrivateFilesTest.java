package io.elastune.core.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class PrivateFilesTest {
  @TempDir private Path folder;

  @Test
  void newFoldersAreForTheirOwner() throws IOException {
    PrivateFiles.createFolder(folder.resolve("a/b"));

    assertThat(permissions("a")).isEqualTo("rwx------");
    assertThat(permissions("a/b")).isEqualTo("rwx------");
  }

  @Test
  void newFileIsForItsOwner() throws IOException {
    PrivateFiles.createFile(folder.resolve("a.log"));

    assertThat(permissions("a.log")).isEqualTo("rw-------");
  }

  @Test
  void fileDoesNotCreateItsFolder() {
    assertThatThrownBy(() -> PrivateFiles.createFile(folder.resolve("logs/a.log")))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void existingFileKeepsItsContents() throws IOException {
    Path file = Files.writeString(folder.resolve("a"), "text");
    open(file, "rwxr-xr-x");
    PrivateFiles.createFile(file);

    assertThat(permissions("a")).isEqualTo("rwx------");
    assertThat(file).hasContent("text");
  }

  /** Opening a pipe waits for a reader. */
  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void pipeIsNoFile() throws Exception {
    Path pipe = folder.resolve("a.log");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();

    assertThatThrownBy(() -> PrivateFiles.createFile(pipe))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is no ordinary file");
  }

  @Test
  void openedFolderAndItsEntriesAreRestricted() throws IOException {
    Path home = Files.createDirectory(folder.resolve("home"));
    open(Files.createDirectory(home.resolve("sub")), "rwxrwxr-x");
    open(Files.createFile(home.resolve("file")), "rw-rw-r--");
    open(home, "rwxr-xr-x");
    PrivateFiles.openFolder(home);

    assertThat(permissions("home")).isEqualTo("rwx------");
    assertThat(permissions("home/sub")).isEqualTo("rwx------");
    assertThat(permissions("home/file")).isEqualTo("rw-------");
  }

  @Test
  void targetsOfLinksAreUnchanged() throws IOException {
    Path target = Files.createFile(folder.resolve("target"));
    open(target, "rw-r--r--");
    Path home = Files.createDirectory(folder.resolve("home"));
    Files.createSymbolicLink(home.resolve("link"), target);
    PrivateFiles.openFolder(home);

    assertThat(permissions("target")).isEqualTo("rw-r--r--");
  }

  @Test
  void stickyFolderIsUnchanged() throws IOException {
    Path shared = Files.createDirectory(folder.resolve("shared"));
    Files.setAttribute(shared, "unix:mode", 01777);
    PrivateFiles.createFolder(shared);

    assertThat(permissions("shared")).isEqualTo("rwxrwxrwx");
  }

  private static void open(Path path, String permissions) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }

  private String permissions(String path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(path)));
  }
}
