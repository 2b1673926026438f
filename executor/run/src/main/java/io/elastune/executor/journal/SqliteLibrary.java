package io.elastune.executor.journal;

import io.elastune.core.files.PrivateFiles;
import io.elastune.core.files.PrivateFolder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.LibraryLoaderUtil;

/**
 * Loads SQLite's own library, once for each process.
 *
 * <p>The driver would copy the library to a folder, readable for everyone, and delete it when the
 * process exits. A process that is killed would leave it there. Here, the copy is private, and it
 * is deleted as soon as the library is loaded: a loaded library needs no name.
 */
final class SqliteLibrary {
  private static boolean loaded;

  private SqliteLibrary() {}

  /**
   * Loads the library if this process has not loaded it yet.
   *
   * @param folder where the copy is made, if there is room, and if programs may be executed there;
   *     otherwise it is made in the folder for temporary files
   * @throws SQLException if it can be loaded from neither; the message says why
   */
  static synchronized void load(Path folder) throws SQLException {
    List<String> failures = new ArrayList<>();
    for (Path parent : List.of(folder, Path.of(System.getProperty("java.io.tmpdir")))) {
      if (!loaded) {
        Optional<String> failure = tryFrom(parent);
        loaded = failure.isEmpty();
        failure.ifPresent(reason -> failures.add(parent + " (" + reason + ")"));
      }
    }
    if (!loaded) {
      throw new SQLException("cannot load SQLite's library from " + String.join(" or ", failures));
    }
  }

  /** Returns why the library cannot be loaded from a folder, or nothing if it is loaded. */
  private static Optional<String> tryFrom(Path folder) {
    try {
      Path own = PrivateFolder.createTemporary(folder, ".sqlite-");
      Path copy = own.resolve(LibraryLoaderUtil.getNativeLibName());
      try {
        PrivateFiles.createFile(copy);
        return loadThrough(copy) ? Optional.empty() : Optional.of("programs cannot be executed");
      } finally {
        delete(copy);
        delete(own);
      }
    } catch (FileSystemException e) {
      return Optional.of(e.getReason() == null ? e.getClass().getSimpleName() : e.getReason());
    } catch (Exception e) { // the declared type of the driver
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** Returns false if programs cannot be executed in the folder of {@code copy}. */
  private static boolean loadThrough(Path copy) throws Exception {
    Path folder = copy.resolveSibling("");
    try (InputStream library =
        SQLiteJDBCLoader.class.getResourceAsStream(
            LibraryLoaderUtil.getNativeLibResourcePath()
                + "/"
                + LibraryLoaderUtil.getNativeLibName())) {
      if (library != null) { // otherwise the driver looks for one that is installed
        try (OutputStream out = Files.newOutputStream(copy)) { // the file stays private
          library.transferTo(out);
        }
        Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rwx------"));
        if (!Files.isExecutable(copy)) {
          return false;
        }
      }
    }
    System.setProperty("org.sqlite.tmpdir", folder.toString());
    System.setProperty("org.sqlite.lib.path", folder.toString());
    System.setProperty("org.sqlite.lib.name", String.valueOf(copy.getFileName()));
    return SQLiteJDBCLoader.initialize();
  }

  private static void delete(Path copy) {
    try {
      Files.deleteIfExists(copy);
    } catch (IOException e) {
      // It is a private copy of a public library. The next run folder gets another one.
    }
  }
}
