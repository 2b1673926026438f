package io.elastune.cli.input;

import java.nio.file.Path;

/**
 * A file with its parsed content.
 *
 * @param path the file
 * @param name the file's name in messages
 * @param text its text
 * @param value its parsed content
 */
public record LoadedFile<T>(Path path, String name, String text, T value) {
  /** The folder that paths in the file are relative to. */
  public Path folder() {
    return path.resolveSibling("").toAbsolutePath().normalize();
  }

  /** Returns the same file with other content. */
  LoadedFile<T> with(T other) {
    return new LoadedFile<>(path, name, text, other);
  }
}
