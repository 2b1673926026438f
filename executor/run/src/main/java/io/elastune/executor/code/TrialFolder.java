package io.elastune.executor.code;

import io.elastune.core.files.PrivateFiles;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Set;

/**
 * The working folder of a trial. While an attempt runs, it has its own copy of the code and of
 * other small files, and links to everything else in the snapshot. Afterwards only what the trial
 * has written is left, so that thousands of trials need little space.
 */
public final class TrialFolder {
  private final CodeSnapshot snapshot;
  private final Path folder;
  private final Set<String> folders;

  /** {@code folder}: an absolute path. */
  public TrialFolder(CodeSnapshot snapshot, Path folder) {
    this.snapshot = snapshot;
    this.folder = folder;
    folders = new HashSet<>(snapshot.manifest().folders());
  }

  /**
   * Returns the working folder of a trial of a run.
   *
   * @param root the folder for the working folders of all trials
   */
  public static Path pathOf(Path root, CodeSnapshot snapshot, int trial) {
    Path parent = Path.of(snapshot.manifest().folder()).resolveSibling("");
    Path tree = parent.getName(0).relativize(parent);
    return root.resolve(tree).normalize().resolve("trial-" + trial);
  }

  /**
   * Creates the folders above the working folders of the trials. The name of the workdir there is a
   * link to the snapshot.
   */
  public static void createParent(Path root, CodeSnapshot snapshot) throws IOException {
    Path workdir = Path.of(snapshot.manifest().workdir());
    Path link = snapshot.createParents(root).resolve(String.valueOf(workdir.getFileName()));
    Files.deleteIfExists(link);
    Files.createSymbolicLink(link, snapshot.folder());
  }

  /** Adds what the folder lacks. Files that the trial has changed stay as they are. */
  public void fill() throws IOException {
    if (!Files.isDirectory(snapshot.folder())) {
      throw new IOException("the code snapshot " + snapshot.folder() + " no longer exists");
    }
    fill("");
  }

  private void fill(String path) throws IOException {
    PrivateFiles.createFolder(folder.resolve(path));
    try (DirectoryStream<Path> entries =
        Files.newDirectoryStream(snapshot.folder().resolve(path))) {
      for (Path entry : entries) {
        fill(entry, child(path, entry));
      }
    }
  }

  private void fill(Path entry, String path) throws IOException {
    Path target = folder.resolve(path);
    if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS) && folders.contains(path)) {
      if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS)
          || Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS)) {
        fill(path);
      }
    } else if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      if (isCopied(entry)) {
        FileCopier.clone(entry, target);
      } else {
        Files.createSymbolicLink(target, linkTarget(entry));
      }
    }
  }

  private static String child(String path, Path entry) {
    String name = String.valueOf(entry.getFileName());
    return path.isEmpty() ? name : path + "/" + name;
  }

  private static boolean isCopied(Path entry) throws IOException {
    BasicFileAttributes attributes =
        Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    return attributes.isRegularFile() && attributes.size() <= CodeTree.MOST_COPIED_BYTES;
  }

  private static Path linkTarget(Path entry) throws IOException {
    return Files.isSymbolicLink(entry) ? Files.readSymbolicLink(entry) : entry;
  }

  /** Removes unchanged copies, links and Python's caches; what the trial has written stays. */
  public void prune() throws IOException {
    if (Files.isDirectory(folder)) {
      prune("");
    }
  }

  private void prune(String path) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder.resolve(path))) {
      for (Path target : entries) {
        String below = child(path, target);
        Path entry = snapshot.folder().resolve(below);
        if (target.getFileName().toString().equals("__pycache__")) {
          FolderRemover.remove(target);
        } else if (folders.contains(below)
            && Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS)) {
          prune(below);
          deleteIfEmpty(target);
        } else if (isUnchanged(entry, target)) {
          Files.delete(target);
        }
      }
    }
  }

  private static void deleteIfEmpty(Path target) throws IOException {
    try {
      Files.delete(target);
    } catch (DirectoryNotEmptyException e) {
      return; // the trial has written to it
    }
  }

  private static boolean isUnchanged(Path entry, Path target) throws IOException {
    try {
      if (Files.isSymbolicLink(target)) {
        return Files.readSymbolicLink(target).equals(linkTarget(entry));
      }
      if (!Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)) {
        return false;
      }
      BasicFileAttributes copy = Files.readAttributes(target, BasicFileAttributes.class);
      BasicFileAttributes original =
          Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return copy.size() == original.size()
          && copy.lastModifiedTime().equals(original.lastModifiedTime());
    } catch (NoSuchFileException e) {
      return false; // the trial has created it
    }
  }
}
