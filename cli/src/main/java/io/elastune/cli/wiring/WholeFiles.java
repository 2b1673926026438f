package io.elastune.cli.wiring;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes files that are there as a whole or not at all. */
public final class WholeFiles {
  private WholeFiles() {}

  /**
   * Writes {@code text}; a link is followed, and a device or pipe is written to as it is.
   *
   * @throws UncheckedIOException if it cannot be written; then a file of that name is as it was
   */
  public static void write(Path file, String text) {
    try {
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        Files.writeString(file, text);
      } else {
        replace(Files.exists(file) ? file.toRealPath() : file.toAbsolutePath(), text);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void replace(Path target, String text) throws IOException {
    if (!Files.isDirectory(target.resolveSibling(""))) {
      throw new NoSuchFileException(target.toString());
    }
    Path draft =
        target.resolveSibling(target.getFileName() + "." + ProcessHandle.current().pid() + ".tmp");
    try {
      Files.writeString(draft, text);
      Files.move(draft, target, StandardCopyOption.REPLACE_EXISTING);
    } catch (AccessDeniedException e) { // of the draft, which means nothing to the user
      throw new AccessDeniedException(target.toString());
    } finally {
      Files.deleteIfExists(draft);
    }
  }
}
