package io.elastune.core.config;

import java.util.List;
import java.util.function.Function;

/** The result of parsing a file: a value, or all problems of the file. */
public sealed interface ParseResult<T> {
  /** Calls the function for this variant. */
  <R> R match(Function<T, R> valid, Function<List<FileProblem>, R> invalid);

  /** Returns the result with another form of the value. */
  default <S> ParseResult<S> map(Function<T, S> form) {
    return match(value -> new ValidFile<>(form.apply(value)), InvalidFile::new);
  }

  /**
   * Returns the value.
   *
   * @throws FileProblemsException if the file has problems
   */
  default T orThrow() {
    return match(
        value -> value,
        problems -> {
          throw new FileProblemsException(problems);
        });
  }

  /** Returns the problems in line order; empty if there is a value. */
  List<FileProblem> problems();

  /** A file without problems. */
  record ValidFile<T>(T value) implements ParseResult<T> {
    @Override
    public <R> R match(Function<T, R> valid, Function<List<FileProblem>, R> invalid) {
      return valid.apply(value);
    }

    @Override
    public List<FileProblem> problems() {
      return List.of();
    }
  }

  /** A file with at least one problem. */
  record InvalidFile<T>(List<FileProblem> problems) implements ParseResult<T> {
    public InvalidFile {
      problems = List.copyOf(problems);
    }

    @Override
    public <R> R match(Function<T, R> valid, Function<List<FileProblem>, R> invalid) {
      return invalid.apply(problems);
    }
  }
}
