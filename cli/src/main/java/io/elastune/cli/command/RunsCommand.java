package io.elastune.cli.command;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.inspect.ListRuns;
import io.elastune.cli.inspect.RemoveRuns;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists and removes stored runs. */
@Command(
    name = "runs",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    header = "List and remove stored runs.",
    footer = {"", "Example:", "  elastune runs list"})
public final class RunsCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Specify list or rm");
  }

  /** Returns this command with its subcommands. */
  public static CommandLine tree(CliEnvironment cliEnvironment) {
    CommandLine line = new CommandLine(new RunsCommand());
    line.addSubcommand(new ListCommand(cliEnvironment));
    line.addSubcommand(new RemoveCommand(cliEnvironment));
    return line;
  }

  @Command(
      name = "list",
      header = "List all runs with their state, cost and size, latest first.",
      description = "Reads only the journals; sends no request to a cloud.",
      footer = {"", "Example:", "  elastune runs list --json"})
  static final class ListCommand implements Callable<Integer> {
    private final CliEnvironment cliEnvironment;
    @Mixin private CommonOptions common = new CommonOptions();

    ListCommand(CliEnvironment cliEnvironment) {
      this.cliEnvironment = cliEnvironment;
    }

    @Override
    public Integer call() {
      return new ListRuns(cliEnvironment, common.output(cliEnvironment)).list().code();
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
  static final class RemoveCommand implements Callable<Integer> {
    private final CliEnvironment cliEnvironment;
    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private CommonOptions common = new CommonOptions();

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

    RemoveCommand(CliEnvironment cliEnvironment) {
      this.cliEnvironment = cliEnvironment;
    }

    @Override
    public Integer call() {
      if (runs.isEmpty() && olderThan == null) {
        throw new ParameterException(spec.commandLine(), "Specify runs or --older-than");
      }
      return new RemoveRuns(cliEnvironment, common.output(cliEnvironment))
          .remove(runs, Optional.ofNullable(olderThan), checkpoints, yes)
          .code();
    }
  }
}
