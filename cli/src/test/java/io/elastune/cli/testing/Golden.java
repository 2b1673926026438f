package io.elastune.cli.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Screens as they are meant to be, below {@code src/test/resources/golden}. Run the tests with
 * {@code -Dgolden.write=true} to write them anew, and read what has changed before committing it.
 */
public final class Golden {
  private static final Path FOLDER = Path.of("src", "test", "resources", "golden");

  private Golden() {}

  /** Requires {@code text} to be what the file of that name holds. */
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
