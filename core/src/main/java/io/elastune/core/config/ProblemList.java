package io.elastune.core.config;

import io.elastune.core.config.yaml.ProblemCollector;
import io.elastune.core.config.yaml.SourcePosition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Collects problems while a file is read. */
public final class ProblemList implements ProblemCollector {
  private final List<FileProblem> problems = new ArrayList<>();

  @Override
  public void add(SourcePosition sourcePosition, String field, String message, String hint) {
    problems.add(
        new FileProblem(sourcePosition.file(), sourcePosition.line(), field, message, hint));
  }

  @Override
  public int count() {
    return problems.size();
  }

  /** Returns the problems by line; those of command-line options come first. */
  public List<FileProblem> sorted() {
    return problems.stream().sorted(Comparator.comparingInt(FileProblem::line)).toList();
  }

  /** Returns the parse result for {@code value} and the collected problems. */
  <T> ParseResult<T> outcome(Optional<T> value) {
    if (!problems.isEmpty()) {
      return new ParseResult.InvalidFile<>(sorted());
    }
    return new ParseResult.ValidFile<>(value.orElseThrow());
  }
}
