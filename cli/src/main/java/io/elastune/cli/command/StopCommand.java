package io.elastune.cli.command;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.inspect.StopRun;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Stops a run. */
@Command(
    name = "stop",
    header = "Stop a run gracefully: trials write checkpoints, and all instances are released.",
    description = {
      "The run can be resumed. Waits until the run has ended. Exits with 0 once no instance is",
      "left, whether the run was stopped, had finished or had crashed; with 20 if instances may be",
      "left."
    },
    footer = {"", "Example:", "  elastune stop my-job-20261120-a1b2"})
public final class StopCommand extends Subcommand {
  @Parameters(paramLabel = "RUN", description = "The run's name, or a unique prefix of it.")
  private String run = "";

  @Option(names = "--no-wait", description = "Request the stop and return immediately.")
  private boolean noWait;

  @Override
  int execute(CliEnvironment cliEnvironment, Output output) {
    return new StopRun(cliEnvironment, output).stop(run, !noWait).code();
  }
}
