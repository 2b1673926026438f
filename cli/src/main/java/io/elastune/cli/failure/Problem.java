package io.elastune.cli.failure;

import io.elastune.core.files.FileProblem;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One thing that is wrong, for people and programs.
 *
 * @param file the file it is in
 * @param line its line there, from 1
 * @param field the field, option or argument concerned
 * @param message what is wrong
 * @param hint what was perhaps meant, or what to do
 */
public record Problem(
    Optional<String> file,
    OptionalInt line,
    Optional<String> field,
    String message,
    Optional<String> hint) {
  /** A problem of a field, option or argument; an empty text means that there is none. */
  public static Problem of(String field, String message, String hint) {
    return in("", 0, field, message, hint);
  }

  /** A problem of a place in a file. Empty texts and line 0 mean that there is none. */
  public static Problem in(String file, int line, String field, String message, String hint) {
    return new Problem(
        given(file),
        line > 0 ? OptionalInt.of(line) : OptionalInt.empty(),
        given(field),
        message,
        given(hint));
  }

  /** A problem of a file, or of an option that stands for a field. */
  public static Problem of(FileProblem problem) {
    boolean option = problem.line() == 0 && problem.file().startsWith("--");
    return option
        ? of(problem.file(), problem.message(), problem.hint())
        : in(problem.file(), problem.line(), problem.field(), problem.message(), problem.hint());
  }

  private static Optional<String> given(String text) {
    return Optional.of(text).filter(some -> !some.isEmpty());
  }

  /** {@code FILE:LINE: FIELD: message (hint)}, less what is not known. */
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
