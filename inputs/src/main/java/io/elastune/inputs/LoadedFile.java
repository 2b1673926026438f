package io.elastune.inputs;

import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * A file with its parsed content.
 *
 * @param path the file
 * @param name the file's name in messages
 * @param source writes its text, which takes longer than reading offers that come from no file
 * @param value its parsed content
 */
public record LoadedFile<T>(Path path, String name, Supplier<String> source, T value) {
  /** Creates a file whose text was read. */
  public LoadedFile(Path path, String name, String text, T value) {
    this(path, name, () -> text, value);
  }

  /** Returns its text. */
  public String text() {
    return source.get();
  }

  /** The folder that paths in the file are relative to. */
  public Path folder() {
    return path.resolveSibling("").toAbsolutePath().normalize();
  }

  /** Returns the same file with other content. */
  public LoadedFile<T> with(T other) {
    return new LoadedFile<>(path, name, source, other);
  }
}
