package io.elastune.cli.command;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.inspect.ShowLogs;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the output of trials. */
@Command(
    name = "logs",
    header = "Print the output of the trials of a run.",
    description = "With --json, prints one document per line: {\"trial\", \"line\"}.",
    footer = {"", "Example:", "  elastune logs my-job-20261120-a1b2 --trial 3 -f"})
public final class LogsCommand extends Subcommand {
  @Mixin private RunArgument run = new RunArgument();

  @Option(
      names = "--trial",
      paramLabel = "N",
      description = "Print only this trial's output. Default: all trials, one after another.")
  private Optional<Integer> trial = Optional.empty();

  @Option(
      names = {"-f", "--follow"},
      description = "Print new output until the run ends.")
  private boolean follow;

  @Option(names = "--setup", description = "Print the setup output of every instance instead.")
  private boolean setup;

  @Option(
      names = "--raw",
      description =
          "Print the bytes of the output, with all control sequences. Default: colors only; of a"
              + " line that a progress bar rewrites, the last version.")
  private boolean raw;

  @Override
  int execute(CliEnvironment cliEnvironment, Output output) {
    ShowLogs logs = new ShowLogs(cliEnvironment, output, trial, setup, raw);
    return (follow ? logs.follow(run.value()) : logs.once(run.value())).code();
  }
}
