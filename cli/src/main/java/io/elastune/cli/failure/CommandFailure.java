package io.elastune.cli.failure;

import java.util.List;
import java.util.stream.Collectors;

/** Thrown to end a command with an exit code and its problems. */
public final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final ExitCode exit;
  private final transient List<Problem> problems;

  public CommandFailure(ExitCode exit, List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.exit = exit;
    this.problems = List.copyOf(problems);
  }

  /** Returns a failure for a single problem in the user's input. */
  public static CommandFailure usage(Problem problem) {
    return new CommandFailure(ExitCode.USAGE, List.of(problem));
  }

  /** Returns a failure for a field of a file, or for an option if {@code file} is empty. */
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
