package io.elastune.executor.journal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.LibraryLoaderUtil;

/**
 * Loads SQLite's own library, once for each process.
 *
 * <p>The driver would copy the library to a folder, readable for everyone, and delete it when the
 * process exits. A process that is killed would leave it there. Here, the copy is made in a private
 * folder, which is deleted as soon as the library is loaded: a loaded library needs no file.
 */
final class SqliteLibrary {
  private static boolean loaded;

  private SqliteLibrary() {}

  /**
   * Loads the library if this process has not loaded it yet.
   *
   * @param folder where the copy is made, if there is room, and if programs may be executed there;
   *     otherwise it is made in the folder for temporary files
   * @throws SQLException if it can be loaded from neither
   */
  static synchronized void load(Path folder) throws SQLException {
    List<String> failures = new ArrayList<>();
    for (Path parent : List.of(folder, Path.of(System.getProperty("java.io.tmpdir")))) {
      if (!loaded) {
        tryFrom(parent).ifPresentOrElse(failures::add, () -> loaded = true);
      }
    }
    if (!loaded) {
      throw new SQLException("cannot load SQLite's library from " + String.join(" or ", failures));
    }
  }

  /**
   * Returns why the library cannot be loaded through {@code parent}, or nothing if it is loaded.
   */
  private static Optional<String> tryFrom(Path parent) throws SQLException {
    try {
      return loadFrom(parent)
          ? Optional.empty()
          : Optional.of(parent + " (programs cannot be executed there)");
    } catch (IOException e) {
      return Optional.of(parent + " (" + e + ")");
    }
  }

  private static boolean loadFrom(Path parent) throws IOException, SQLException {
    Path folder = Files.createTempDirectory(parent, ".sqlite-"); // private
    try {
      return loadThrough(folder);
    } finally {
      delete(folder);
    }
  }

  /** Returns false if programs cannot be executed in a folder. */
  private static boolean loadThrough(Path folder) throws IOException, SQLException {
    String name = LibraryLoaderUtil.getNativeLibName();
    Path copy = folder.resolve(name);
    try (InputStream library =
        SQLiteJDBCLoader.class.getResourceAsStream(
            LibraryLoaderUtil.getNativeLibResourcePath() + "/" + name)) {
      if (library != null) { // otherwise the driver looks for one that is installed
        Files.copy(library, copy);
        Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rwx------"));
        if (!Files.isExecutable(copy)) {
          return false;
        }
      }
    }
    System.setProperty("org.sqlite.tmpdir", folder.toString());
    System.setProperty("org.sqlite.lib.path", folder.toString());
    System.setProperty("org.sqlite.lib.name", name);
    try {
      return SQLiteJDBCLoader.initialize();
    } catch (Exception e) { // the declared type of the driver
      throw new SQLException("cannot load SQLite's library", e);
    }
  }

  private static void delete(Path folder) throws IOException {
    List<Path> files;
    try (Stream<Path> listed = Files.list(folder)) {
      files = listed.toList();
    }
    for (Path file : files) {
      Files.delete(file);
    }
    Files.delete(folder);
  }
}
