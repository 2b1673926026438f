package io.elastune.cli.command;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.execute.AttachSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Follows a run that another process executes. */
@Command(
    name = "attach",
    header = "Follow a run in progress until it ends, and return its exit code.",
    description = {
      "Shows the progress as 'run' does, whether the run is in the background or in another",
      "terminal. Ctrl-C detaches with exit code 130, and the run continues. For an ended run,",
      "prints the result. With --json, prints the same lines as 'run --json', from the start."
    },
    footer = {"", "Example:", "  elastune attach my-job-20261120-a1b2"})
public final class AttachCommand extends Subcommand {
  @Mixin private RunArgument run = new RunArgument();

  @Override
  int execute(CliEnvironment cliEnvironment, Output output) {
    return new AttachSession(cliEnvironment, output).attach(run.value()).code();
  }
}
