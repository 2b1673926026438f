package io.elastune.executor.code;

import io.elastune.core.files.PrivateFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;

/** Copies and hashes files whose owner may change them meanwhile. */
final class FileCopier {
  private static final int ATTEMPTS = 3;
  private static final Set<PosixFilePermission> OWNER_EXECUTES =
      EnumSet.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_EXECUTE);

  private FileCopier() {}

  /** Computes the entry of a file; empty if it no longer exists. */
  static Optional<CodeManifest.Entry> hash(Path file, String path) throws IOException {
    return read(file, path, Optional.empty());
  }

  /**
   * Copies a file, for its owner only, with its modification time.
   *
   * @return its entry; empty if it no longer exists
   * @throws CodeException if it changes all the time
   */
  static Optional<CodeManifest.Entry> copy(Path file, String path, Path target) throws IOException {
    return read(file, path, Optional.of(target));
  }

  private static Optional<CodeManifest.Entry> read(Path file, String path, Optional<Path> target)
      throws IOException {
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      try {
        BasicFileAttributes before = Files.readAttributes(file, BasicFileAttributes.class);
        boolean executable = isExecutable(file);
        Contents contents = target.isPresent() ? write(file, target.get()) : digest(file);
        BasicFileAttributes after = Files.readAttributes(file, BasicFileAttributes.class);
        FileTime time = after.lastModifiedTime();
        if (before.lastModifiedTime().equals(time) && contents.bytes() == after.size()) {
          if (target.isPresent()) {
            finish(target.get(), time, executable);
          }
          return Optional.of(
              new CodeManifest.Entry(path, contents.bytes(), contents.sha256(), executable));
        }
      } catch (NoSuchFileException e) {
        if (target.isPresent()) {
          Files.deleteIfExists(target.get());
        }
        return Optional.empty();
      }
    }
    throw new CodeException(
        path + " changed each of the " + ATTEMPTS + " times that it was read",
        "stop the program that writes it, or list it in .elastuneignore");
  }

  private record Contents(long bytes, String sha256) {}

  private static Contents write(Path file, Path target) throws IOException {
    Files.deleteIfExists(target);
    PrivateFiles.createFile(target);
    try (DigestInputStream in = open(file);
        OutputStream out = Files.newOutputStream(target)) {
      return contents(in, in.transferTo(out));
    }
  }

  private static Contents digest(Path file) throws IOException {
    try (DigestInputStream in = open(file)) {
      return contents(in, in.transferTo(OutputStream.nullOutputStream()));
    }
  }

  private static DigestInputStream open(Path file) throws IOException {
    InputStream in = Files.newInputStream(file);
    return new DigestInputStream(in, CodeManifest.sha256());
  }

  private static Contents contents(DigestInputStream in, long bytes) {
    MessageDigest digest = in.getMessageDigest();
    return new Contents(bytes, HexFormat.of().formatHex(digest.digest()));
  }

  /** Copies a file with its time and permissions. The target appears complete or not at all. */
  static void clone(Path file, Path target) throws IOException {
    Path temporary = target.resolveSibling(".elastune-copy-" + target.getFileName());
    FileTime time = Files.getLastModifiedTime(file);
    Files.deleteIfExists(temporary);
    PrivateFiles.createFile(temporary);
    try (InputStream in = Files.newInputStream(file);
        OutputStream out = Files.newOutputStream(temporary)) {
      in.transferTo(out);
    }
    finish(temporary, time, isExecutable(file));
    Files.move(temporary, target);
  }

  private static void finish(Path target, FileTime time, boolean executable) throws IOException {
    Files.getFileAttributeView(target, BasicFileAttributeView.class).setTimes(time, null, null);
    if (executable) {
      Files.setPosixFilePermissions(target, OWNER_EXECUTES);
    }
  }

  /** Any executable bit: access control of the user's own file is not relevant for a copy. */
  private static boolean isExecutable(Path file) throws IOException {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix")
        && Files.getPosixFilePermissions(file).contains(PosixFilePermission.OWNER_EXECUTE);
  }
}
