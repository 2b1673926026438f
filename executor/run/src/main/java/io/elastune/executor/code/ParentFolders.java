package io.elastune.executor.code;

import io.elastune.core.files.PrivateFiles;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Substitutes for the two folders above a workdir, so that relative paths such as {@code ../../lib}
 * work in a copy of it: each substitute links entries of the original. Of a crowded folder, such as
 * a home folder, and of one for all users, such as {@code /tmp}, it links only the entries that the
 * program names, and none if the program does not use folders above its own one.
 */
final class ParentFolders {
  private static final int LEVELS = 2;

  /** A folder with more entries is crowded. */
  static final int MOST_ENTRIES = 100;

  /** Names that are left to the working folders of trials. */
  private static final String TRIAL_FOLDER = "trial-[0-9]+";

  /** A folder above the workdir, the entry of it that leads to the workdir, and the substitute. */
  private record Level(Path original, Path child, Path substitute) {}

  private ParentFolders() {}

  /**
   * Creates the substitutes in {@code root}, without links.
   *
   * @return the substitute of the folder that contains {@code workdir}
   */
  static Path create(Path root, Path workdir) throws IOException {
    Path last = root;
    PrivateFiles.createFolder(root);
    for (Level level : levels(root, workdir)) {
      last = PrivateFiles.createFolder(level.substitute());
    }
    return last;
  }

  /** Returns the folders above {@code workdir}, from the top; not the root of the file system. */
  private static List<Level> levels(Path root, Path workdir) {
    List<Path> children = new ArrayList<>(); // from the top
    for (Path child = workdir;
        children.size() < LEVELS && child != null && child.getFileName() != null;
        child = child.getParent()) {
      children.add(0, child);
    }
    List<Level> levels = new ArrayList<>();
    Path substitute = root;
    for (Path child : children) {
      levels.add(new Level(child.resolveSibling(""), child, substitute));
      substitute = sameName(substitute, child);
    }
    return levels;
  }

  /** Links entries of the originals. A run does this once, in its snapshot. */
  static void link(Path root, Path workdir, ProgramText program) throws IOException {
    for (Level level : levels(root, workdir)) {
      boolean crowded = isCrowded(level.original());
      if (crowded && !program.usesParentFolders()) {
        continue;
      }
      for (Path entry : entries(level.original())) {
        boolean wanted = !crowded || program.names(name(entry));
        if (wanted && !entry.equals(level.child()) && !name(entry).matches(TRIAL_FOLDER)) {
          linkOnce(sameName(level.substitute(), entry), entry);
        }
      }
    }
  }

  /** Creates in {@code root} the links that the substitutes in {@code from} have. */
  static void copyLinks(Path from, Path root, Path workdir) throws IOException {
    List<Level> targets = levels(root, workdir);
    List<Level> sources = levels(from, workdir);
    for (int i = 0; i < sources.size(); i++) {
      for (Path link : entries(sources.get(i).substitute())) {
        if (Files.isSymbolicLink(link)) {
          linkOnce(sameName(targets.get(i).substitute(), link), Files.readSymbolicLink(link));
        }
      }
    }
  }

  private static void linkOnce(Path link, Path target) throws IOException {
    if (!Files.exists(link, LinkOption.NOFOLLOW_LINKS)) {
      Files.createSymbolicLink(link, target);
    }
  }

  /** Returns the crowded folders above {@code workdir}. */
  static List<Path> crowded(Path workdir) {
    return levels(workdir, workdir).stream()
        .map(Level::original)
        .filter(ParentFolders::isCrowded)
        .toList();
  }

  private static boolean isCrowded(Path folder) {
    List<Path> entries = entries(folder);
    return entries.size() > MOST_ENTRIES || (!entries.isEmpty() && PrivateFiles.isShared(folder));
  }

  /** Returns nothing for the root of the file system, which relative paths do not need. */
  private static List<Path> entries(Path folder) {
    List<Path> entries = new ArrayList<>();
    if (folder.getFileName() == null) {
      return entries;
    }
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
      stream.forEach(entries::add);
    } catch (IOException | RuntimeException e) {
      return List.of(); // not readable: the copy cannot use it, as the original could not list it
    }
    return entries;
  }

  /** Not through a string: the locale may not be able to represent a name that exists. */
  private static Path sameName(Path folder, Path path) {
    return folder.resolve(path.getFileName());
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }
}
