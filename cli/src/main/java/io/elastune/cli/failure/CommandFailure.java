package io.elastune.cli.failure;

import java.util.List;
import java.util.stream.Collectors;

/** Ends a command with an exit code and the problems that led to it. */
public final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final ExitCode exit;
  private final transient List<Problem> problems;

  public CommandFailure(ExitCode exit, List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.exit = exit;
    this.problems = List.copyOf(problems);
  }

  /** A single problem of the user's input. */
  public static CommandFailure usage(Problem problem) {
    return new CommandFailure(ExitCode.USAGE, List.of(problem));
  }

  /** A single problem of a field of a file, or with an empty file of an option or argument. */
  public static CommandFailure usage(String file, String field, String message) {
    return usage(Problem.in(file, 0, field, message, ""));
  }

  public ExitCode exit() {
    return exit;
  }

  public List<Problem> problems() {
    return problems;
  }
}
