package io.elastune.inputs;

import io.elastune.core.config.FileProblem;
import io.elastune.core.config.ParseResult;
import io.elastune.core.config.yaml.ByteOrderMark;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;

/** Reads and parses text files. A missing or unreadable file is a problem like one in its text. */
public final class TextFileReader {
  private final InputEnvironment environment;

  public TextFileReader(InputEnvironment environment) {
    this.environment = environment;
  }

  /**
   * Reads and parses a file.
   *
   * @param parser takes the file's name for messages, and its text
   */
  public <T> ParseResult<LoadedFile<T>> read(
      Path path, BiFunction<String, String, ParseResult<T>> parser) {
    String name = environment.displayPath(path);
    try {
      String text = ByteOrderMark.strip(Files.readString(path)); // a saved plan contains the text
      return parser
          .apply(name, text)
          .match(
              value -> new ParseResult.ValidFile<>(new LoadedFile<>(path, name, text, value)),
              ParseResult.InvalidFile::new);
    } catch (IOException e) {
      return new ParseResult.InvalidFile<>(List.of(new FileProblem(name, 0, "", why(path, e), "")));
    }
  }

  private static String why(Path path, IOException e) {
    if (e instanceof NoSuchFileException) {
      return "no such file";
    }
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (e instanceof CharacterCodingException) {
      return "is not UTF-8 text";
    }
    return Files.isDirectory(path) ? "is a folder, not a file" : "cannot be read: " + e;
  }
}
