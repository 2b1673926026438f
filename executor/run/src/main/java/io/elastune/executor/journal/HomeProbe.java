package io.elastune.executor.journal;

import io.elastune.core.files.PrivateFiles;
import io.elastune.core.files.PrivateFolder;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tries in a home what a run needs of it: a journal that is created, written, opened again and
 * read, and a lock. A run whose journal fails later has already cost something.
 */
public final class HomeProbe {
  private static final String VALUE = "written";
  private static final int ATTEMPTS = 100;

  private HomeProbe() {}

  /**
   * Returns why runs cannot be stored in {@code home}; empty if they can.
   *
   * @throws IOException if it cannot be written
   */
  public static Optional<String> problem(Path home) throws IOException {
    boolean isNew = !Files.exists(home);
    try {
      Path folder = probeFolder(home);
      try {
        return problemIn(folder);
      } finally {
        delete(folder);
        if (isNew) {
          deleteUnused(home);
        }
      }
    } catch (JournalException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** Creates a folder in the home, which another command may remove at the same time. */
  private static Path probeFolder(Path home) throws IOException {
    for (int attempt = 1; ; attempt++) {
      PrivateFiles.createFolder(home);
      try {
        return PrivateFolder.createTemporary(home, ".probe-");
      } catch (NoSuchFileException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /** A run that is refused leaves nothing, but another command may use the home by now. */
  private static void deleteUnused(Path home) throws IOException {
    try {
      Files.deleteIfExists(home);
    } catch (DirectoryNotEmptyException e) {
      return;
    }
  }

  private static Optional<String> problemIn(Path folder) throws IOException {
    Path journal = folder.resolve("journal.db");
    try (SqlConnection connection = Journal.open(journal, false)) {
      connection.run("CREATE TABLE probe (value TEXT)");
      connection.run("INSERT INTO probe (value) VALUES (?)", VALUE);
      connection.commit();
    }
    try (SqlConnection connection = Journal.open(journal, true)) {
      List<String> values = connection.list("SELECT value FROM probe", row -> row.getString(1));
      if (!values.equals(List.of(VALUE)) || !Files.exists(journal)) {
        return Optional.of("a journal in it was not stored");
      }
    }
    try (FileChannel channel =
            FileChannel.open(
                folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        @Nullable FileLock lock = channel.tryLock()) {
      return lock == null ? Optional.of("a file in it cannot be locked") : Optional.empty();
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(folder);
  }
}
