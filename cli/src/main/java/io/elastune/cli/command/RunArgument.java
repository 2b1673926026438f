package io.elastune.cli.command;

import picocli.CommandLine.Parameters;

/** Names the run that a command reads. */
final class RunArgument {
  @Parameters(
      arity = "0..1",
      paramLabel = "RUN",
      description = "The run's name, or its beginning if no other begins so. Default: the newest.")
  private String run = "";

  /** As given; empty for the newest. */
  String given() {
    return run;
  }
}
