package io.elastune.core.files;

import io.elastune.core.files.tree.Place;
import io.elastune.core.files.tree.Problems;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Collects problems while a file is read. */
final class ProblemList implements Problems {
  private final List<FileProblem> problems = new ArrayList<>();

  @Override
  public void add(Place place, String field, String message, String hint) {
    problems.add(new FileProblem(place.file(), place.line(), field, message, hint));
  }

  @Override
  public int count() {
    return problems.size();
  }

  /** Returns the problems by line; those of command-line options come first. */
  List<FileProblem> sorted() {
    return problems.stream().sorted(Comparator.comparingInt(FileProblem::line)).toList();
  }

  /** Returns the parse result for {@code value} and the collected problems. */
  <T> Parsed<T> outcome(Optional<T> value) {
    if (!problems.isEmpty()) {
      return new Parsed.Invalid<>(sorted());
    }
    return new Parsed.Valid<>(value.orElseThrow());
  }
}
