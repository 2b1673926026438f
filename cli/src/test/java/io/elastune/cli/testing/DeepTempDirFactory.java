package io.elastune.cli.testing;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Creates the temporary folders of tests two levels below the system's one. A snapshot of a job's
 * code links the entries of the two folders above the job: of every file in {@code /tmp}, a hundred
 * links for each run, and JUnit warns of each link that it deletes.
 */
public final class DeepTempDirFactory implements TempDirFactory {
  private static final Path LEVEL = Path.of("d");

  private Path outer = LEVEL;

  @Override
  public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext extension)
      throws IOException {
    outer = Files.createTempDirectory("junit-");
    return Files.createDirectories(outer.resolve(LEVEL).resolve("d"));
  }

  /**
   * Deletes the levels above the folder, which JUnit has deleted.
   *
   * @throws IOException with the names of the files that a process has written since
   */
  @Override
  public void close() throws IOException {
    try {
      Files.deleteIfExists(outer.resolve(LEVEL));
      Files.deleteIfExists(outer);
    } catch (DirectoryNotEmptyException e) {
      try (Stream<Path> files = Files.walk(outer)) {
        throw new IOException("written after the test: " + files.sorted().toList(), e);
      }
    }
  }
}
