package io.elastune.inputs;

import io.elastune.core.config.FileProblem;
import io.elastune.core.config.ParseResult;
import io.elastune.core.config.yaml.ByteOrderMark;
import io.elastune.core.files.LimitedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;

/** Reads and parses text files. A missing or unreadable file is a problem like one in its text. */
public final class TextFileReader {
  private static final int MOST_BYTES = 64_000_000;

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
      String text = ByteOrderMark.strip(text(path)); // a saved plan contains the text
      return parser
          .apply(name, text)
          .match(
              value -> new ParseResult.ValidFile<>(new LoadedFile<>(path, name, text, value)),
              ParseResult.InvalidFile::new);
    } catch (IOException e) {
      return new ParseResult.InvalidFile<>(List.of(new FileProblem(name, 0, "", why(path, e), "")));
    }
  }

  private static String text(Path path) throws IOException {
    byte[] bytes = LimitedFile.read(path, MOST_BYTES);
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
  }

  private static String why(Path path, IOException e) {
    if (e instanceof LimitedFile.TooLargeException) {
      return String.valueOf(e.getMessage());
    }
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
