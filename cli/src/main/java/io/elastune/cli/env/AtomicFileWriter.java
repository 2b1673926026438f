package io.elastune.cli.env;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes files atomically. */
public final class AtomicFileWriter {
  private AtomicFileWriter() {}

  /**
   * Writes {@code text} to {@code file}. Follows symbolic links. Devices and pipes are written
   * directly.
   *
   * @throws UncheckedIOException if the file cannot be written; an existing file is unchanged
   */
  public static void write(Path file, String text) {
    try {
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        Files.writeString(file, text);
      } else {
        replace(Files.exists(file) ? file.toRealPath() : file.toAbsolutePath(), text);
      }
    } catch (FileSystemException e) {
      throw new UncheckedIOException(e);
    } catch (IOException e) { // e.g. of a full disk, which names no file
      throw new UncheckedIOException(
          new FileSystemException(file.toString(), null, e.getMessage()));
    }
  }

  private static void replace(Path target, String text) throws IOException {
    if (!Files.isDirectory(target.resolveSibling(""))) {
      throw new NoSuchFileException(target.toString());
    }
    Path temporary =
        target.resolveSibling(target.getFileName() + "." + ProcessHandle.current().pid() + ".tmp");
    try {
      Files.writeString(temporary, text);
      Files.move(temporary, target, StandardCopyOption.REPLACE_EXISTING);
    } catch (
        AccessDeniedException e) { // name the target: the user does not know the temporary file
      throw new AccessDeniedException(target.toString());
    } finally {
      Files.deleteIfExists(temporary);
    }
  }
}
