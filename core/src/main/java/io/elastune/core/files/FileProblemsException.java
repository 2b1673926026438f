package io.elastune.core.files;

import java.util.List;
import java.util.stream.Collectors;

/** All that is wrong with a file; its message has one line for each problem. */
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
