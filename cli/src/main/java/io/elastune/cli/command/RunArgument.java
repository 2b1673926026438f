package io.elastune.cli.command;

import picocli.CommandLine.Parameters;

/** The argument that names a run. */
final class RunArgument {
  @Parameters(
      arity = "0..1",
      paramLabel = "RUN",
      description = "The run's name, or a unique prefix of it. Default: the latest run.")
  private String run = "";

  /** The argument as given; empty for the latest run. */
  String value() {
    return run;
  }
}
