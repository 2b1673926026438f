package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.ExampleFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;

/** Copies of the programs in {@code src/test/resources/programs}. */
final class ProgramFiles {
  private static final Path PROGRAMS = Path.of("src/test/resources/programs").toAbsolutePath();

  private ProgramFiles() {}

  /** Copies a program and the Python helper to a folder, and returns the folder. */
  static Path copy(String program, Path target) throws IOException {
    Files.createDirectories(target);
    try (Stream<Path> files = Files.list(PROGRAMS.resolve(program))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        copyFile(file, target);
      }
    }
    copyFile(ExampleFiles.REPOSITORY.resolve("python/elastune_trial.py"), target);
    return target;
  }

  /** Copies a file to a folder. */
  static void copyFile(Path file, Path target) throws IOException {
    Files.copy(file, target.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
  }

  /** Replaces a text of the job file by another. */
  static void change(Path program, String text, String other) throws IOException {
    Path job = program.resolve("job.yaml");
    String before = Files.readString(job);
    assertThat(before).contains(text);
    Files.writeString(job, before.replace(text, other));
  }
}
