package io.elastune.cli.command;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.execute.ResumeSession;
import io.elastune.cli.execute.StartOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Executes a run in the background. {@code run --detach} and {@code resume --detach} start it. */
@Command(
    name = "controller",
    hidden = true,
    header = "Execute a confirmed run in the background; 'run --detach' starts this command.",
    footer = {"", "Example:", "  elastune run job.yaml --detach"})
public final class ControllerCommand extends Subcommand {
  @Parameters(paramLabel = "RUN", description = "The run's name.")
  private String run = "";

  @Option(names = "--retry-failed", description = "Retry failed trials.")
  private boolean retryFailed;

  @Override
  int execute(CliEnvironment cliEnvironment, Output output) {
    StartOptions options = new StartOptions(true, true, true, false);
    return new ResumeSession(cliEnvironment, output, options).takeOver(run, retryFailed).code();
  }
}
