package io.elastune.cli.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Finds the source files and documents of this repository, without build output. */
final class SourceTree {
  private static final Set<String> SKIPPED = Set.of("target", ".git", ".idea", ".vscode");

  private SourceTree() {}

  /** Returns the paths, relative to the root, of the files that {@code wanted} accepts, sorted. */
  static List<Path> find(Predicate<Path> wanted) {
    try (Stream<Path> folder = Files.list(PomFiles.ROOT)) {
      return folder
          .flatMap(SourceTree::below)
          .map(PomFiles.ROOT::relativize)
          .filter(wanted)
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<Path> documents() {
    return find(path -> path.toString().endsWith(".md"));
  }

  static List<Path> java() {
    return find(path -> path.toString().endsWith(".java"));
  }

  static String text(Path relative) {
    try {
      return Files.readString(PomFiles.ROOT.resolve(relative));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Path> below(Path path) {
    if (!Files.isDirectory(path)) {
      return Stream.of(path);
    }
    if (SKIPPED.contains(path.getFileName().toString())) {
      return Stream.empty();
    }
    try (Stream<Path> entries = Files.list(path)) {
      return entries.flatMap(SourceTree::below).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
