package io.elastune.cli.command;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.inspect.ShowDecisions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows the decisions of a run. */
@Command(
    name = "explain",
    header = "Show every decision of a run and its reason.",
    footer = {"", "Example:", "  elastune explain my-job-20261120-a1b2"})
public final class ExplainCommand extends Subcommand {
  @Mixin private RunArgument run = new RunArgument();

  @Override
  int execute(CliEnvironment cliEnvironment, Output output) {
    return new ShowDecisions(cliEnvironment, output).show(run.value()).code();
  }
}
