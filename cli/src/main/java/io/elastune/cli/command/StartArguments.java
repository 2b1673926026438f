package io.elastune.cli.command;

import io.elastune.cli.execute.StartOptions;
import picocli.CommandLine.Option;

/** The options of the commands that start or resume a run. */
final class StartArguments {
  @Option(
      names = {"-y", "--yes"},
      order = 1,
      description = "Start without confirmation.")
  private boolean yes;

  @Option(
      names = "--parallel",
      order = 3,
      description = "Start even if another run of the job is in progress.")
  private boolean parallel;

  StartOptions toOptions(DetachOptions detachOptions) {
    return new StartOptions(yes, parallel, detachOptions.detach(), detachOptions.follow());
  }

  StartOptions toOptions() {
    return new StartOptions(yes, parallel, false, false);
  }
}
