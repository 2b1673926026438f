package io.elastune.executor.ray.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Lists, writes and deletes the files of a runtime. */
final class RuntimeFiles {
  private RuntimeFiles() {}

  /** Returns the files and folders below a folder, sorted; links are not followed. */
  static List<Path> all(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> !file.equals(folder)).sorted().toList();
    }
  }

  /** Deletes a file or folder, if it exists. */
  static void delete(Path path) throws IOException {
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (NoSuchFileException e) {
      return; // another part of the same folder
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Lets all users of this machine read a folder that was created for its owner. */
  static void makeReadable(Path folder) throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Writes a text file with a final line end. */
  static void write(Path file, List<String> lines) throws IOException {
    Files.writeString(file, String.join("\n", lines) + "\n", StandardCharsets.UTF_8);
  }
}
