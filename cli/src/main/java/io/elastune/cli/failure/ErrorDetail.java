package io.elastune.cli.failure;

import io.elastune.core.config.FileProblem;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One error in a file, a command line or a cloud account, for text and JSON output.
 *
 * @param file the file with the error
 * @param line its line in the file, from 1
 * @param field the field, option or argument with the error
 * @param message what is wrong
 * @param hint a near match or a remedy
 */
public record ErrorDetail(
    Optional<String> file,
    OptionalInt line,
    Optional<String> field,
    String message,
    Optional<String> hint) {
  /** Returns a problem of a field, option or argument. Empty texts are omitted. */
  public static ErrorDetail of(String field, String message, String hint) {
    return inFile("", 0, field, message, hint);
  }

  /** Returns a problem at a position in a file. Empty texts and line 0 are omitted. */
  public static ErrorDetail inFile(
      String file, int line, String field, String message, String hint) {
    return new ErrorDetail(
        given(file),
        line > 0 ? OptionalInt.of(line) : OptionalInt.empty(),
        given(field),
        message,
        given(hint));
  }

  /** Converts a problem of a file, or of an option that overrides a field. */
  public static ErrorDetail of(FileProblem problem) {
    boolean option = problem.line() == 0 && problem.file().startsWith("--");
    return option
        ? of(problem.file(), problem.message(), problem.hint())
        : inFile(
            problem.file(), problem.line(), problem.field(), problem.message(), problem.hint());
  }

  private static Optional<String> given(String text) {
    return Optional.of(text).filter(some -> !some.isEmpty());
  }

  /** Returns {@code FILE:LINE: FIELD: message (hint)} without the absent parts. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    file.ifPresent(text::append);
    line.ifPresent(number -> text.append(':').append(number));
    file.ifPresent(some -> text.append(": "));
    field.ifPresent(name -> text.append(name).append(": "));
    text.append(message);
    hint.ifPresent(advice -> text.append(" (").append(advice).append(')'));
    return text.toString();
  }
}
