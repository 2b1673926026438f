package io.elastune.cli.failure;

import java.util.List;

/**
 * How a command failed.
 *
 * @param exit the code to exit with
 * @param problems what is wrong, at least one
 */
public record Failure(ExitCode exit, List<Problem> problems) {
  public Failure {
    problems = List.copyOf(problems);
  }
}
