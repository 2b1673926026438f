package io.elastune.executor.code;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The entries of a workdir: code that a snapshot copies, and the rest that it links.
 *
 * <p>An ignored folder is linked as a whole. Folders in which tools write their output are not:
 * only their entries are linked, so that new files of different trials do not collide. Small
 * ignored files are copied for the same reason.
 */
public final class CodeTree {
  /** Larger files are linked and not copied for each trial. */
  static final long MOST_COPIED_BYTES = 10_000_000;

  private static final int MOST_IGNORED_COPIES = 100;
  private static final int MOST_NAMED = 5;
  private static final double MEGABYTE = 1e6;

  /** Common names of folders for output. */
  private static final Set<String> OUTPUT_FOLDERS =
      Set.of(
          "checkpoints",
          "lightning_logs",
          "logs",
          "mlruns",
          "multirun",
          "out",
          "output",
          "outputs",
          "results",
          "runs",
          "tb_logs",
          "wandb");

  private static final Set<String> VERSION_CONTROL = Set.of(".git", ".hg", ".svn", ".jj");
  private static final Set<String> LEFT_OUT = Set.of("__pycache__", ".ipynb_checkpoints");

  /** A file of the code. */
  record CodeFile(String path, long bytes) {}

  private final Path workdir;
  private final Set<Path> excluded;
  private final Set<String> own;
  private final CodeFilter filter;
  private final List<String> folders = new ArrayList<>();
  private final List<CodeFile> files = new ArrayList<>();
  private final List<String> codeLinks = new ArrayList<>();
  private final List<String> ignoredFiles = new ArrayList<>();
  private final List<String> links = new ArrayList<>();

  private CodeTree(Path workdir, Set<Path> excluded, Set<String> own) throws IOException {
    this.workdir = workdir;
    this.excluded = excluded;
    this.own = own;
    filter = new CodeFilter(workdir);
    walk("", false);
  }

  /** Lists a workdir without particular folders. */
  public static CodeTree of(Path workdir, Set<Path> excluded) {
    return of(workdir, excluded, Set.of());
  }

  /**
   * Lists a workdir.
   *
   * @param excluded absolute paths of Elastune's own folders, which are neither copied nor linked
   * @param own paths of folders in the workdir of which each trial gets its own, as of those with a
   *     common name for output
   * @throws CodeException if it cannot be read
   */
  public static CodeTree of(Path workdir, Set<Path> excluded, Set<String> own) {
    try {
      return new CodeTree(workdir.toRealPath(), excluded, own);
    } catch (InvalidPathException e) {
      throw new CodeException(
          "a file name in " + workdir + " is not text in this locale: " + e.getMessage(),
          "set a UTF-8 locale, such as LC_ALL=C.UTF-8");
    } catch (DirectoryIteratorException e) {
      throw CodeException.of("cannot read " + workdir, Objects.requireNonNull(e.getCause()));
    } catch (IOException e) {
      throw CodeException.of("cannot read " + workdir, e);
    }
  }

  private void walk(String folder, boolean outputs) throws IOException {
    int ignored = 0;
    for (Path entry : entries(workdir.resolve(folder))) {
      String name = entry.getFileName().toString();
      String path = folder.isEmpty() ? name : folder + "/" + name;
      if (excluded.contains(entry) || LEFT_OUT.contains(name)) {
        continue;
      }
      BasicFileAttributes attributes;
      try {
        attributes =
            Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      } catch (NoSuchFileException e) {
        continue; // deleted meanwhile
      }
      if (attributes.isDirectory()) {
        addFolder(path, name, outputs);
      } else if (!outputs && !attributes.isOther() && filter.isCode(path, name)) {
        addCode(path, attributes);
      } else if (attributes.isRegularFile()
          && attributes.size() <= MOST_COPIED_BYTES
          && ignored < MOST_IGNORED_COPIES) {
        ignored++;
        ignoredFiles.add(path);
      } else {
        links.add(path);
      }
    }
  }

  private static List<Path> entries(Path folder) throws IOException {
    List<Path> entries = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
      stream.forEach(entries::add);
    }
    entries.sort(Comparator.naturalOrder());
    return entries;
  }

  private void addFolder(String path, String name, boolean outputs) throws IOException {
    boolean code = !outputs && filter.isCodeFolder(path, name);
    boolean output = !outputs && OUTPUT_FOLDERS.contains(name.toLowerCase(Locale.ROOT));
    if (code || output || own.contains(path) || (!outputs && isEmpty(path))) {
      folders.add(path);
      walk(path, !code);
    } else {
      links.add(path);
    }
  }

  /** An empty folder is usually for output. Git does not know it. */
  private boolean isEmpty(String path) {
    Path folder = workdir.resolve(path);
    try {
      return Files.isReadable(folder) && entries(folder).isEmpty();
    } catch (IOException e) {
      return false;
    }
  }

  private void addCode(String path, BasicFileAttributes attributes) {
    if (attributes.isSymbolicLink()) {
      codeLinks.add(path);
    } else {
      files.add(new CodeFile(path, attributes.size()));
    }
  }

  /** Returns the total size of the code. */
  public long bytes() {
    return files.stream().mapToLong(CodeFile::bytes).sum();
  }

  /**
   * Checks the total size of the code.
   *
   * @throws CodeException that names the largest files, if it is above {@code mostBytes}
   */
  public void checkSize(long mostBytes) {
    if (bytes() <= mostBytes) {
      return;
    }
    String largest =
        files.stream()
            .sorted(Comparator.comparingLong(CodeFile::bytes).reversed())
            .limit(MOST_NAMED)
            .map(file -> file.path() + " (" + megabytes(file.bytes()) + ")")
            .collect(Collectors.joining(", "));
    throw new CodeException(
        "the code in "
            + workdir
            + " has "
            + megabytes(bytes())
            + " in "
            + files.size()
            + " files, above trial.max_code_size ("
            + megabytes(mostBytes)
            + "); largest: "
            + largest,
        "list data in .gitignore or .elastuneignore: it is then linked and not copied; or raise"
            + " trial.max_code_size");
  }

  private static String megabytes(long bytes) {
    return String.format(Locale.ROOT, "%.1f MB", bytes / MEGABYTE);
  }

  /** Returns the entries that are no code, without those of version control, sorted by path. */
  public List<String> otherEntries() {
    return Stream.concat(ignoredFiles.stream(), links.stream())
        .filter(path -> !VERSION_CONTROL.contains(path))
        .sorted()
        .toList();
  }

  Path workdir() {
    return workdir;
  }

  /** Returns the folders to create, each after its parent. */
  List<String> folders() {
    return folders;
  }

  List<CodeFile> files() {
    return files;
  }

  /** Returns the symbolic links that belong to the code. */
  List<String> codeLinks() {
    return codeLinks;
  }

  /** Returns the ignored files that are copied. */
  List<String> ignoredFiles() {
    return ignoredFiles;
  }

  /** Returns the ignored entries that are linked. */
  List<String> links() {
    return links;
  }
}
