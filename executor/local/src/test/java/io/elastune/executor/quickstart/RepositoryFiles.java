package io.elastune.executor.quickstart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Locates the files and programs that the tests of this package run. */
final class RepositoryFiles {
  private RepositoryFiles() {}

  static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(folder.resolve("configs/quickstart"))) {
      folder =
          Optional.ofNullable(folder.getParent())
              .orElseThrow(() -> new AssertionError("not inside the repository"));
    }
    return folder;
  }

  /** Returns whether a command can be started and exits with 0. */
  static boolean canRun(String... command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(180, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns a command that uses the JDK of this test. */
  static List<String> java(String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.addAll(List.of(arguments));
    return command;
  }
}
