package io.elastune.cli.failure;

import java.util.List;

/**
 * The exit code and the problems of a failed command.
 *
 * @param exit the code to exit with
 * @param problems what is wrong, at least one
 */
public record Failure(ExitCode exit, List<ErrorDetail> problems) {
  public Failure {
    problems = List.copyOf(problems);
  }
}
