package io.elastune.core.config;

import java.nio.file.Files;
import java.nio.file.Path;

/** Locates the root of the repository from the tests of any module. */
final class RepositoryRoot {
  static final Path ROOT = find(Path.of("").toAbsolutePath());

  private RepositoryRoot() {}

  private static Path find(Path folder) {
    Path parent = folder.getParent();
    boolean root = Files.isDirectory(folder.resolve("configs")) || parent == null;
    return root ? folder : find(parent);
  }
}
