package io.elastune.executor.checkpoint;

import io.elastune.core.files.LimitedFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads the manifest of a checkpoint, which a trial has written: its size, the number of its
 * entries, and the length, depth and characters of their names are limited. The Python helper and
 * the bridge to Ray have the same limits; docs/checkpoint-vectors.json tests all of them.
 */
final class CheckpointManifest {
  /** The file that lists all other files of a checkpoint. */
  static final String FILE = "manifest.json";

  static final int MOST_BYTES = 4 << 20;
  static final int MOST_FILES = 10_000;
  private static final int MOST_CHARACTERS = 1_000;
  private static final int MOST_FOLDERS = 32;

  private static final JsonMapper READER = new JsonMapper();

  private CheckpointManifest() {}

  /** Returns the file of the manifest. */
  static Path file(Path folder) {
    return folder.resolve(FILE);
  }

  /** Returns whether a checkpoint has a manifest, which is a file and no link. */
  static boolean exists(Path folder) {
    return Files.isRegularFile(file(folder), LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Returns the manifest of a checkpoint.
   *
   * @throws IOException if there is none, or it cannot be read
   * @throws JacksonException if it is not JSON
   */
  static JsonNode read(Path folder) throws IOException {
    if (!exists(folder)) {
      throw new IOException("it has no " + FILE);
    }
    try {
      return READER.readTree(LimitedFile.read(file(folder), MOST_BYTES));
    } catch (LimitedFile.TooLargeException e) {
      throw new IOException("its " + FILE + " " + e.getMessage(), e);
    }
  }

  /** Returns why the entries exceed the limits; empty if they do not. */
  static Optional<String> flaw(JsonNode files) {
    if (files.size() > MOST_FILES) {
      return Optional.of("its " + FILE + " lists more than " + MOST_FILES + " files");
    }
    for (JsonNode entry : files) {
      for (String field : List.of("name", "link")) {
        Optional<String> flaw = flaw(entry.path(field).stringValue(""));
        if (flaw.isPresent()) {
          return Optional.of("the " + field + " of one of its files " + flaw.get());
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<String> flaw(String name) {
    if (name.length() > MOST_CHARACTERS) {
      return Optional.of("has more than " + MOST_CHARACTERS + " characters");
    }
    if (name.chars().filter(character -> character == '/').count() > MOST_FOLDERS) {
      return Optional.of("has more than " + MOST_FOLDERS + " folders");
    }
    return name.chars().anyMatch(Character::isISOControl)
        ? Optional.of("has a control character")
        : Optional.empty();
  }
}
