package io.elastune.executor.ray.runtime;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.function.Predicate;

/** Removes from a runtime what nodes do not use. */
final class UnusedFiles {
  /** What neither Ray nor an agent uses: a third of the size of all files. */
  private static final List<String> NAMES =
      List.of(
          "include",
          "libs",
          "share",
          "python3.*",
          "libjnipython.so",
          "bin/{2to3,c_rehash,idle,pip,pydoc,python3-config,python3.*-config}*",
          "lib/{engines-3,ossl-modules,pkgconfig}",
          "lib/{tcl,tk,itcl,thread}*",
          "lib/python3.*/{config-*,ensurepip,idlelib,lib2to3,test,tkinter,turtledemo}",
          "lib/python3.*/site-packages/{pip,setuptools,pkg_resources,_distutils_hack}",
          "lib/python3.*/site-packages/{pip,setuptools}-*",
          "lib/python3.*/site-packages/distutils-precedence.pth",
          "lib/python3.*/site-packages/bin",
          "lib/python3.*/site-packages/ray/{jars,rllib}");

  private UnusedFiles() {}

  /** Deletes what nodes do not use, and all compiled files. */
  static void delete(Path folder) throws IOException {
    List<PathMatcher> unused =
        NAMES.stream()
            .map(glob -> FileSystems.getDefault().getPathMatcher("glob:" + glob))
            .toList();
    Predicate<Path> isUnused =
        path ->
            path.endsWith("__pycache__")
                || unused.stream().anyMatch(one -> one.matches(folder.relativize(path)));
    for (Path path : RuntimeFiles.all(folder)) {
      if (isUnused.test(path)) {
        RuntimeFiles.delete(path);
      }
    }
  }
}
