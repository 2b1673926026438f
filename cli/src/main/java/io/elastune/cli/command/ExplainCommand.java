package io.elastune.cli.command;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.inspect.ShowDecisions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows the decisions of a run. */
@Command(
    name = "explain",
    header = "Show every decision of a run and its reason.",
    footer = {"", "Example:", "  elastune explain my-job-20261120-a1b2"})
public final class ExplainCommand implements Callable<Integer> {
  private final CliEnvironment cliEnvironment;
  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private RunArgument run = new RunArgument();

  public ExplainCommand(CliEnvironment cliEnvironment) {
    this.cliEnvironment = cliEnvironment;
  }

  @Override
  public Integer call() {
    return new ShowDecisions(cliEnvironment, common.output(cliEnvironment))
        .show(run.value())
        .code();
  }
}
