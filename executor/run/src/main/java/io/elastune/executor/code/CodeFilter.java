package io.elastune.executor.code;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which entries of a workdir are code: in a Git repository the files that Git does not
 * ignore, elsewhere those that no {@code .gitignore} excludes. {@code .elastuneignore} in the
 * workdir has precedence over both. Version control data, Python caches and virtual environments
 * are never code. Logs are code only if {@code .elastuneignore} includes them: output of a command
 * is often redirected into the workdir. Neither are the files to which the output of this process
 * goes.
 */
final class CodeFilter {
  private static final Set<String> NEVER_CODE =
      Set.of(".git", ".hg", ".svn", ".jj", "__pycache__", ".ipynb_checkpoints");

  /** Where Linux shows the files of the standard output and error of this process. */
  private static final List<Path> OUTPUTS =
      List.of(Path.of("/proc/self/fd/1"), Path.of("/proc/self/fd/2"));

  private final Path workdir;
  private final Set<String> outputs;
  private final IgnoreRules own;
  private final Optional<NavigableSet<String>> files;
  private final Set<String> folders = new HashSet<>();
  private final Map<String, Optional<IgnoreRules>> rulesOfFolders = new HashMap<>();

  CodeFilter(Path workdir) throws IOException {
    this(workdir, OUTPUTS);
  }

  /** {@code links}: links to files that are no code. */
  CodeFilter(Path workdir, List<Path> links) throws IOException {
    this.workdir = workdir;
    outputs = outputs(workdir, links);
    own = rules(workdir.resolve(".elastuneignore")).orElse(IgnoreRules.parse(""));
    files = gitFiles(workdir, own);
    files.ifPresent(
        paths -> {
          for (String path : paths) {
            for (int i = path.indexOf('/'); i >= 0; i = path.indexOf('/', i + 1)) {
              folders.add(path.substring(0, i));
            }
          }
        });
  }

  /** Returns the files of the workdir, as paths in it, to which links lead. */
  private static Set<String> outputs(Path workdir, List<Path> links) throws IOException {
    Path real = workdir.toRealPath();
    Set<String> paths = new HashSet<>();
    for (Path link : links) {
      if (Files.isRegularFile(link)) {
        Path file = link.toRealPath();
        if (file.startsWith(real)) {
          paths.add(real.relativize(file).toString());
        }
      }
    }
    return paths;
  }

  private static Optional<NavigableSet<String>> gitFiles(Path workdir, IgnoreRules own) {
    GitFolder git = new GitFolder(workdir);
    Optional<NavigableSet<String>> files = git.files();
    files.ifPresent(
        paths -> {
          for (String path : Set.copyOf(paths)) {
            if (path.endsWith("/") || Files.isDirectory(workdir.resolve(path))) {
              paths.remove(path);
              addNested(workdir, path.replaceAll("/$", ""), paths);
            }
          }
          paths.removeIf(path -> own.excludesFile(path).orElse(false));
          if (own.reincludes()) {
            git.ignoredFiles().stream()
                .flatMap(Set::stream)
                .filter(path -> !own.excludesFile(path).orElse(true))
                .forEach(paths::add);
          }
        });
    return files;
  }

  /** Adds the files of a submodule or another repository inside the workdir. */
  private static void addNested(Path workdir, String folder, Set<String> paths) {
    new GitFolder(workdir.resolve(folder))
        .files().stream().flatMap(Set::stream).forEach(path -> paths.add(folder + "/" + path));
  }

  private static Optional<IgnoreRules> rules(Path file) throws IOException {
    return Files.isRegularFile(file)
        ? Optional.of(IgnoreRules.parse(Files.readString(file)))
        : Optional.empty();
  }

  /** Returns whether a folder contains code, so that it is copied and not linked. */
  boolean isCodeFolder(String path, String name) throws IOException {
    Path folder = workdir.resolve(path);
    if (NEVER_CODE.contains(name) || isEnvironment(folder)) {
      return false;
    }
    return files.isPresent() ? folders.contains(path) : !isExcluded(path, true);
  }

  /** Returns whether a file or link is code. */
  boolean isCode(String path, String name) throws IOException {
    if (NEVER_CODE.contains(name) || name.endsWith(".pyc")) {
      return false;
    }
    if ((isLog(name) || outputs.contains(path)) && own.excludesFile(path).orElse(true)) {
      return false;
    }
    return files.isPresent() ? files.get().contains(path) : !isExcluded(path, false);
  }

  private static boolean isLog(String name) {
    return name.endsWith(".log") || name.equals("nohup.out");
  }

  /** Returns whether a folder is a virtual environment of Python or conda. */
  private static boolean isEnvironment(Path folder) {
    return Files.exists(folder.resolve("pyvenv.cfg")) || Files.exists(folder.resolve("conda-meta"));
  }

  /** Applies the ignore files of all folders from the workdir to the path; the nearest decides. */
  private boolean isExcluded(String path, boolean folder) throws IOException {
    Optional<Boolean> decided = own.excludes(path, folder);
    int start = path.lastIndexOf('/') + 1;
    while (decided.isEmpty() && start >= 0) {
      Optional<IgnoreRules> rules = rulesOf(path.substring(0, start));
      String below = path.substring(start);
      decided = rules.flatMap(found -> found.excludes(below, folder));
      start = start == 0 ? -1 : path.lastIndexOf('/', start - 2) + 1;
    }
    return decided.orElse(false);
  }

  /** {@code folder}: empty for the workdir, otherwise with a final slash. */
  private Optional<IgnoreRules> rulesOf(String folder) throws IOException {
    Optional<IgnoreRules> rules = rulesOfFolders.get(folder);
    if (rules == null) {
      rules = rules(workdir.resolve(folder + ".gitignore"));
      rulesOfFolders.put(folder, rules);
    }
    return rules;
  }
}
