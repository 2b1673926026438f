package io.elastune.executor.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.sqlite.SQLiteJDBCLoader;

/**
 * Loads SQLite's own library, once for each process.
 *
 * <p>The driver copies the library to a folder, readable for everyone, and deletes it when the
 * process exits. A process that is killed would leave it in the folder of its run. The copy is
 * therefore made in a private folder, which is deleted as soon as the library is loaded: a loaded
 * library needs no file.
 */
final class SqliteLibrary {
  private static boolean loaded;

  private SqliteLibrary() {}

  /**
   * Loads the library if this process has not loaded it yet.
   *
   * @param folder where the copy is made; a shared folder for temporary files may refuse to execute
   * @throws SQLException if it cannot be copied or loaded
   */
  static synchronized void load(Path folder) throws SQLException {
    if (loaded) {
      return;
    }
    try {
      // Only its owner can read such a folder.
      Path copy = Files.createTempDirectory(folder, ".sqlite-");
      try {
        System.setProperty("org.sqlite.tmpdir", copy.toString());
        loaded = SQLiteJDBCLoader.initialize();
      } finally {
        delete(copy);
      }
    } catch (Exception e) {
      throw new SQLException("cannot load SQLite's library in " + folder + ": " + e, e);
    }
  }

  private static void delete(Path copy) throws IOException {
    List<Path> files;
    try (Stream<Path> listed = Files.list(copy)) {
      files = listed.toList();
    }
    for (Path file : files) {
      Files.delete(file);
    }
    Files.delete(copy);
  }
}
