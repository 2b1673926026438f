package io.elastune.cli.wiring;

import java.nio.file.Path;

/**
 * What a file holds.
 *
 * @param path the file
 * @param name the file as the user would write it
 * @param text its text
 * @param value what the text says
 */
public record Loaded<T>(Path path, String name, String text, T value) {
  /** The folder that paths in the file are relative to. */
  public Path folder() {
    return path.resolveSibling("").toAbsolutePath().normalize();
  }
}
