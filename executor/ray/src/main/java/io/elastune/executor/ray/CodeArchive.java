package io.elastune.executor.ray;

import io.elastune.core.files.PrivateFiles;
import io.elastune.executor.code.CodeManifest;
import io.elastune.executor.code.CodeSnapshot;
import io.elastune.executor.code.TarWriter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Writes the code of a snapshot as a tar archive that depends on the code only. What the snapshot
 * links, such as data outside the code, is not on the nodes and not in it.
 */
final class CodeArchive {
  private CodeArchive() {}

  /** Writes the archive, unless it exists, and returns {@code file}. */
  static Path of(CodeSnapshot code, Path file) {
    if (Files.exists(file)) {
      return file;
    }
    Path part = file.resolveSibling(file.getFileName() + "." + Thread.currentThread().getId());
    try {
      PrivateFiles.createFile(part);
      try (TarWriter tar = new TarWriter(new BufferedOutputStream(Files.newOutputStream(part)))) {
        write(code, tar);
      }
      return Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot pack the code: " + e.getMessage(), e);
    }
  }

  private static void write(CodeSnapshot code, TarWriter tar) throws IOException {
    for (String folder : code.manifest().folders()) {
      tar.addFolder(folder);
    }
    for (CodeManifest.Entry entry : code.manifest().files()) {
      if (entry.linkTarget().isEmpty()) {
        tar.addFile(entry.path(), code.folder().resolve(entry.path()), entry.executable());
      } else if (entry.staysInside()) {
        tar.addLink(entry.path(), entry.linkTarget().get());
      }
    }
  }
}
