package io.elastune.cli.inspect;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.atomic.AtomicLong;

/** Measures and deletes folders recursively, without following links. */
final class FileTree {
  private FileTree() {}

  /** Returns the total size of its files in bytes, without files that disappear meanwhile. */
  static long bytes(Path root) {
    AtomicLong bytes = new AtomicLong();
    walk(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            bytes.addAndGet(attributes.size());
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException problem) {
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, IOException problem) {
            return FileVisitResult.CONTINUE;
          }
        });
    return bytes.get();
  }

  /** Deletes the folder and its contents; does nothing if it does not exist. */
  static void delete(Path root) {
    if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    walk(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, IOException problem)
              throws IOException {
            Files.delete(folder);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static void walk(Path root, SimpleFileVisitor<Path> visitor) {
    try {
      Files.walkFileTree(root, visitor);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
