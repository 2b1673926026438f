package io.elastune.executor.code;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Deletes folders with their contents, without following links. */
public final class FolderRemover {
  private static final Set<PosixFilePermission> OWN = PosixFilePermissions.fromString("rwx------");

  private FolderRemover() {}

  /** Deletes a folder or file; does nothing if it does not exist. */
  public static void remove(Path folder) throws IOException {
    if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path visited, BasicFileAttributes attributes)
              throws IOException {
            if (!Files.isWritable(visited) || !Files.isExecutable(visited)) {
              Files.setPosixFilePermissions(visited, OWN);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          /** A folder may deny its owner the access, which the owner can change. */
          @Override
          public FileVisitResult visitFileFailed(Path file, IOException problem)
              throws IOException {
            if (problem instanceof AccessDeniedException
                && !Files.isReadable(file)
                && Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
              Files.setPosixFilePermissions(file, OWN);
              if (Files.isReadable(file)) {
                remove(file);
                return FileVisitResult.CONTINUE;
              }
            }
            throw problem;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, IOException problem)
              throws IOException {
            Files.deleteIfExists(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
