package io.elastune.plan.api;

import java.util.List;
import java.util.stream.Collectors;

/** Thrown if the inputs of a plan have problems. */
public final class InvalidInputException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient List<InputProblem> problems;

  InvalidInputException(List<InputProblem> problems) {
    super(problems.stream().map(InputProblem::text).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** Returns all problems, at least one. */
  public List<InputProblem> problems() {
    return problems;
  }
}
