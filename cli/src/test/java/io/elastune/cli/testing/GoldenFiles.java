package io.elastune.cli.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Compares screens with the expected ones in {@code src/test/resources/golden}. Run the tests with
 * {@code -Dgolden.write=true} to update the files, and review the changes before committing them.
 */
public final class GoldenFiles {
  private static final Path FOLDER = Path.of("src", "test", "resources", "golden");

  private GoldenFiles() {}

  /** Asserts that {@code text} equals the content of the named file. */
  public static void check(String name, String text) {
    Path file = FOLDER.resolve(name + ".txt");
    try {
      if (Boolean.getBoolean("golden.write")) {
        Files.createDirectories(FOLDER);
        Files.writeString(file, text);
      }
      assertThat(text).as(file.toString()).isEqualTo(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
