package io.elastune.cli.command;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.execute.RunSession;
import io.elastune.core.config.Overrides;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Plans a job, asks for confirmation, and executes it. */
@Command(
    name = "run",
    header = "Plan a job, ask for confirmation, and execute it.",
    description = "Profiles the training program first if there is no profile of it.",
    footer = {
      "",
      "Example:",
      "  elastune run job.yaml --deadline 2h",
      "  elastune run job.yaml -y --detach",
      "  elastune plan job.yaml -o plan.json && elastune run plan.json"
    })
public final class RunCommand extends Subcommand {
  @Mixin private StartArguments start = new StartArguments();
  @Mixin private DetachOptions detach = new DetachOptions();
  @Mixin private ChoiceOption choice = new ChoiceOption();
  @Mixin private OverrideOptions overrides = new OverrideOptions();

  @Parameters(paramLabel = "job.yaml|plan.json", description = "The job file, or a saved plan.")
  private String file = "";

  /** Returns the overrides on the parsed command line. */
  Overrides overrides(CliEnvironment cliEnvironment) {
    return overrides.toOverrides(cliEnvironment);
  }

  /** Returns whether the parsed command line requests a run in the background. */
  boolean isDetached() {
    return detach.detach();
  }

  @Override
  int execute(CliEnvironment cliEnvironment, Output output) {
    return new RunSession(cliEnvironment, output, start.toOptions(detach), choice.choice())
        .run(file, overrides(cliEnvironment))
        .code();
  }
}
