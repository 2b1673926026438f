package io.elastune.core.files;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Creates files and folders that only their owner can access (0600 and 0700), for any umask. On
 * file systems without POSIX permissions, those of the parent folder apply.
 */
public final class PrivateFiles {
  private static final Set<PosixFilePermission> FOLDER =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
  private static final int STICKY = 01000;

  private PrivateFiles() {}

  /**
   * Creates a folder and its missing parents. If the folder exists, other users lose their access
   * to it.
   */
  public static Path createFolder(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      restrict(folder);
      return folder;
    }
    return Files.createDirectories(folder, attributes(folder, FOLDER));
  }

  /**
   * Creates a folder as {@link #createFolder} does. In an existing folder, other users also lose
   * their access to its files and subfolders.
   */
  public static Path openFolder(Path folder) throws IOException {
    createFolder(folder);
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      entries.forEach(PrivateFiles::restrict);
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return folder;
  }

  /** Creates the folder of a file as {@link #createFolder} does. */
  public static void createParent(Path file) throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    if (parent != null) {
      createFolder(parent);
    }
  }

  /**
   * Creates an empty file. If the file exists, it keeps its contents, and other users lose their
   * access to it.
   *
   * @throws IOException if it exists and is something else, such as a pipe, which never ends
   */
  public static Path createFile(Path file) throws IOException {
    try {
      return Files.createFile(file, attributes(file, FILE));
    } catch (FileAlreadyExistsException e) {
      if (!Files.isRegularFile(file)) {
        throw new FileSystemException(file.toString(), null, "is no ordinary file");
      }
      restrict(file);
      return file;
    }
  }

  /**
   * Removes the access of other users to a file or folder of this user. Does not follow symbolic
   * links, and leaves folders unchanged that are for more than Elastune's files: the user's home
   * and folders such as {@code /tmp}.
   */
  private static void restrict(Path path) {
    try {
      if (Files.isSymbolicLink(path) || isForOtherFiles(path)) {
        return;
      }
      Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(path);
      if (permissions.retainAll(FOLDER)) {
        Files.setPosixFilePermissions(path, permissions);
      }
    } catch (IOException | UnsupportedOperationException e) {
      // The file belongs to another user, or the file system has no permissions.
      return;
    }
  }

  private static boolean isForOtherFiles(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      return false;
    }
    Path home = Path.of(UserHome.ofProcess().orElse("/")).normalize();
    return isSticky(path) || path.toAbsolutePath().normalize().equals(home);
  }

  /** Returns whether a folder is for the files of all users, such as {@code /tmp}. */
  public static boolean isShared(Path folder) {
    try {
      return Files.isDirectory(folder) && isSticky(folder.toRealPath());
    } catch (IOException | UnsupportedOperationException e) {
      return false; // it has no mode, or cannot be read
    }
  }

  private static boolean isSticky(Path folder) throws IOException {
    int mode = (Integer) Files.getAttribute(folder, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    return (mode & STICKY) != 0;
  }

  private static FileAttribute<?>[] attributes(Path path, Set<PosixFilePermission> permissions) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
        : new FileAttribute<?>[0];
  }
}
