package io.elastune.executor.ray.runtime;

import io.elastune.executor.code.TarWriter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

/** Packs the files of a runtime. */
final class RuntimePacker {
  private RuntimePacker() {}

  /** Packs a folder. Times and owners are omitted, so equal files make equal archives. */
  static void pack(Path folder, Path archive) throws IOException {
    try (TarWriter tar =
        new TarWriter(
            new BufferedOutputStream(
                new GZIPOutputStream(Files.newOutputStream(archive)), 1 << 16))) {
      for (Path path : RuntimeFiles.all(folder)) {
        String name = folder.relativize(path).toString();
        if (Files.isSymbolicLink(path)) {
          tar.addLink(name, Files.readSymbolicLink(path).toString());
        } else if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
          tar.addFolder(name);
        } else {
          tar.addFile(name, path, Files.isExecutable(path));
        }
      }
    }
  }
}
