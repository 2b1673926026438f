package io.elastune.executor.code;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Queries Git about a folder of a working tree. Every method returns an empty result where Git is
 * not installed, refuses the folder, or the folder is in no repository.
 */
final class GitFolder {
  private final Path folder;

  GitFolder(Path folder) {
    this.folder = folder;
  }

  /** Returns the commit that is checked out. */
  Optional<String> commit() {
    return output("rev-parse", "--verify", "-q", "HEAD").map(String::strip);
  }

  /** Returns whether the folder has changes or new files that are not committed. */
  boolean isDirty() {
    return output("status", "--porcelain", "--", ".").filter(text -> !text.isBlank()).isPresent();
  }

  /** Returns the tracked and the new files below the folder, without the ignored ones. */
  Optional<NavigableSet<String>> files() {
    return paths("ls-files", "-z", "-c", "-o", "--exclude-standard");
  }

  /** Returns the ignored files below the folder. */
  Optional<NavigableSet<String>> ignoredFiles() {
    return paths("ls-files", "-z", "-o", "-i", "--exclude-standard");
  }

  private Optional<NavigableSet<String>> paths(String... arguments) {
    return output(arguments)
        .map(
            text -> {
              NavigableSet<String> paths = new TreeSet<>(Arrays.asList(text.split("\0", -1)));
              paths.remove("");
              return paths;
            });
  }

  private Optional<String> output(String... arguments) {
    List<String> command = new ArrayList<>(List.of("git", "--no-optional-locks"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() == 0 ? Optional.of(text) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty(); // Git is not installed
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
