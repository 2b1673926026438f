package io.elastune.cli.command;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.inspect.ListRuns;
import io.elastune.cli.inspect.RemoveRuns;
import io.elastune.cli.schedule.ScheduleLog;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists and removes stored runs. */
@Command(
    name = "runs",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {RunsCommand.ListCommand.class, RunsCommand.RemoveCommand.class},
    header = "List and remove stored runs.",
    footer = {"", "Example:", "  elastune runs list"})
public final class RunsCommand extends CommandGroup {
  @Command(
      name = "list",
      header = "List all runs with their state, cost and size, latest first.",
      description = "Reads only the journals; sends no request to a cloud.",
      footer = {"", "Example:", "  elastune runs list --json"})
  static final class ListCommand extends Subcommand {
    @Override
    int execute(CliEnvironment cliEnvironment, Output output) {
      return new ListRuns(cliEnvironment, output).list().code();
    }
  }

  @Command(
      name = "rm",
      header = "Remove ended runs: journal, logs and checkpoints.",
      description = {
        "Does not remove a run that is in progress or that may still have instances. Does not",
        "remove stored profiles: see 'elastune profiles'."
      },
      footer = {"", "Example:", "  elastune runs rm --older-than 30d --checkpoints -y"})
  static final class RemoveCommand extends Subcommand {
    @Parameters(
        arity = "0..*",
        paramLabel = "RUN",
        description = "A run's name, or a unique prefix of it.")
    private List<String> runs = List.of();

    @Option(
        names = "--older-than",
        paramLabel = "TIME",
        converter = DurationConverter.class,
        description = "Remove all ended runs that started longer ago than this, e.g. 30d.")
    private @Nullable Duration olderThan;

    @Option(
        names = "--checkpoints",
        description = "Remove only the checkpoints. Keep the journal, the logs and the report.")
    private boolean checkpoints;

    @Option(
        names = {"-y", "--yes"},
        description = "Remove without confirmation.")
    private boolean yes;

    @Override
    int execute(CliEnvironment cliEnvironment, Output output) {
      if (runs.isEmpty() && olderThan == null) {
        throw invalid("Specify runs or --older-than");
      }
      new ScheduleLog(cliEnvironment).storeAllKilled();
      return new RemoveRuns(cliEnvironment, output)
          .remove(runs, Optional.ofNullable(olderThan), checkpoints, yes)
          .code();
    }
  }
}
