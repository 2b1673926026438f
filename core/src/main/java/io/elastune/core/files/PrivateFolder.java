package io.elastune.core.files;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Opens folders whose contents are executed or trusted later. Such a folder belongs to this user
 * alone, and no other user can replace it or a folder that it is in. The bridge to Ray has the same
 * rule for nodes ({@code private_folder}).
 */
public final class PrivateFolder {
  private static final int MAX_LINKS = 40;

  private PrivateFolder() {}

  /**
   * Returns a folder with the mode 0700, as a path without links. Creates it and its missing
   * parents. On file systems without users, those of the parent folder apply.
   *
   * @throws FileSystemException if another user owns it, can write to it, or can replace it, or if
   *     it is a link; the reason says so
   */
  public static Path open(Path folder) throws IOException {
    Path absolute = folder.toAbsolutePath();
    if (!absolute.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      return PrivateFiles.createFolder(absolute);
    }
    Path real = resolve(absolute);
    FileOwner owner = FileOwner.of(real);
    if (!owner.isThisUser()) {
      throw refusal(real, "it belongs to the user " + owner.name());
    }
    if (owner.othersCanWrite()) {
      throw refusal(real, "other users can write to it");
    }
    if (owner.othersCanRead()) {
      Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rwx------"));
      if (FileOwner.of(real).othersCanRead()) {
        throw refusal(real, "its file system gives access to other users");
      }
    }
    return real;
  }

  /** Creates an empty folder with a new name, as {@link #open} does. */
  public static Path createTemporary(Path parent, String prefix) throws IOException {
    return open(Files.createTempDirectory(parent, prefix));
  }

  /** Creates an empty folder with a new name in the folder for temporary files. */
  public static Path createTemporary(String prefix) throws IOException {
    return createTemporary(Path.of(System.getProperty("java.io.tmpdir")), prefix);
  }

  /**
   * Follows the links of users that could change the folder anyway, and creates what is missing.
   */
  private static Path resolve(Path absolute) throws IOException {
    Deque<Path> parts = new ArrayDeque<>();
    absolute.forEach(parts::add);
    Path real = absolute.getRoot();
    int links = 0;
    while (!parts.isEmpty()) {
      Path part = parts.remove();
      if (part.toString().isEmpty() || part.toString().equals(".")) {
        continue;
      }
      if (part.toString().equals("..")) {
        real = real.getParent() == null ? real : real.getParent();
        continue;
      }
      requireSafeParent(real);
      Path next = real.resolve(part);
      FileOwner owner = ownerOfNew(next);
      if (!owner.isLink()) {
        real = next;
        continue;
      }
      if (parts.isEmpty()) {
        throw refusal(next, "it is a link");
      }
      if (!owner.isTrusted() || ++links > MAX_LINKS) {
        throw refusal(absolute, next + " is a link of the user " + owner.name());
      }
      Path target = Files.readSymbolicLink(next);
      Deque<Path> rest = new ArrayDeque<>();
      target.forEach(rest::add);
      rest.addAll(parts);
      parts = rest;
      real = target.isAbsolute() ? absolute.getRoot() : real;
    }
    return real;
  }

  /** Returns the owner of a file; creates a folder if there is none. */
  private static FileOwner ownerOfNew(Path path) throws IOException {
    try {
      return FileOwner.of(path);
    } catch (NoSuchFileException e) {
      try {
        Files.createDirectory(
            path,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      } catch (FileAlreadyExistsException again) {
        // another process has just created it
      }
      return FileOwner.of(path);
    }
  }

  private static void requireSafeParent(Path folder) throws IOException {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      throw refusal(folder, "it is not a folder");
    }
    FileOwner owner = FileOwner.of(folder);
    if (!owner.isTrusted()) {
      throw refusal(folder, "it belongs to the user " + owner.name());
    }
    if (owner.othersCanWrite() && !owner.isSticky()) {
      throw refusal(folder, "other users can replace the folders in it");
    }
  }

  private static FileSystemException refusal(Path folder, String reason) {
    return new FileSystemException(
        folder.toString(), null, "the folder " + folder + " is not private: " + reason);
  }
}
