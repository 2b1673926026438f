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
 * Creates substitutes for the folders above a workdir, so that relative paths such as {@code
 * ../../lib} work in a copy of it: each substitute links the entries of the original.
 */
final class ParentFolders {
  private static final int LEVELS = 2;

  /** A folder with more entries, such as a large temporary folder, gets no substitute. */
  private static final int MOST_ENTRIES = 1000;

  /** Names that are left to the working folders of trials. */
  private static final String TRIAL_FOLDER = "trial-[0-9]+";

  private ParentFolders() {}

  /**
   * Creates the substitutes in {@code root}.
   *
   * @return the substitute of the folder that contains {@code workdir}. It has no entry for {@code
   *     workdir} itself
   */
  static Path create(Path root, Path workdir) throws IOException {
    List<Path> originals = new ArrayList<>(); // from the workdir upward
    Path original = workdir;
    while (originals.size() < LEVELS && original != null && original.getFileName() != null) {
      originals.add(original);
      original = original.getParent();
    }
    PrivateFiles.createFolder(root);
    Path substitute = root;
    for (int i = originals.size() - 1; i >= 0; i--) {
      Path child = originals.get(i);
      Path parent = child.getParent();
      if (parent != null && parent.getFileName() != null) { // not the root of the file system
        link(parent, child, substitute);
      }
      if (i > 0) {
        substitute = PrivateFiles.createFolder(substitute.resolve(name(child)));
      }
    }
    return substitute;
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }

  private static void link(Path original, Path without, Path substitute) throws IOException {
    List<Path> entries = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(original)) {
      for (Path entry : stream) {
        entries.add(entry);
        if (entries.size() > MOST_ENTRIES) {
          return;
        }
      }
    } catch (IOException | RuntimeException e) {
      return; // not readable: the copy cannot use it, as the original could not list it
    }
    for (Path entry : entries) {
      Path link = substitute.resolve(name(entry));
      boolean ours = entry.equals(without) || name(entry).matches(TRIAL_FOLDER);
      if (!ours && !Files.exists(link, LinkOption.NOFOLLOW_LINKS)) {
        Files.createSymbolicLink(link, entry);
      }
    }
  }
}
