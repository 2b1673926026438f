package io.elastune.core.config;

import java.util.List;
import java.util.stream.Collectors;

/** Thrown for an invalid file; the message has one line per problem. */
public final class FileProblemsException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient List<FileProblem> problems;

  public FileProblemsException(List<FileProblem> problems) {
    super(problems.stream().map(FileProblem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  public List<FileProblem> problems() {
    return problems;
  }
}
