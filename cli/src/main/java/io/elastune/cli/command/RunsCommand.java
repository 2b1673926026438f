package io.elastune.cli.command;

import io.elastune.cli.runs.ListRuns;
import io.elastune.cli.runs.RemoveRuns;
import io.elastune.cli.world.World;
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

/** Manages the runs that are kept. */
@Command(
    name = "runs",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    header = "List and remove the runs that are kept.",
    footer = {"", "Example:", "  elastune runs list"})
public final class RunsCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Give one of list and rm");
  }

  /** This command with those below it. */
  public static CommandLine tree(World world) {
    CommandLine line = new CommandLine(new RunsCommand());
    line.addSubcommand(new ListCommand(world));
    line.addSubcommand(new RemoveCommand(world));
    return line;
  }

  @Command(
      name = "list",
      header = "List all runs with their state, cost and size, the newest first.",
      description = "Reads the journals only; no cloud is asked.",
      footer = {"", "Example:", "  elastune runs list --json"})
  static final class ListCommand implements Callable<Integer> {
    private final World world;
    @Mixin private CommonOptions common = new CommonOptions();

    ListCommand(World world) {
      this.world = world;
    }

    @Override
    public Integer call() {
      return new ListRuns(world, common.output(world)).list().code();
    }
  }

  @Command(
      name = "rm",
      header = "Remove runs that are over: journal, logs and checkpoints.",
      description = {
        "A run that goes on, or of which instances may be left, is not removed. Profiles that",
        "were measured stay: see 'elastune profiles'."
      },
      footer = {"", "Example:", "  elastune runs rm --older-than 30d --checkpoints -y"})
  static final class RemoveCommand implements Callable<Integer> {
    private final World world;
    @Spec private CommandSpec spec = CommandSpec.create();
    @Mixin private CommonOptions common = new CommonOptions();

    @Parameters(
        arity = "0..*",
        paramLabel = "RUN",
        description = "A run's name, or its beginning if no other begins so.")
    private List<String> runs = List.of();

    @Option(
        names = "--older-than",
        paramLabel = "TIME",
        converter = TimeSpan.class,
        description = "All runs that are over and began longer ago, e.g. 30d.")
    private @Nullable Duration olderThan;

    @Option(
        names = "--checkpoints",
        description = "Only the checkpoints; journal, logs and report stay.")
    private boolean checkpoints;

    @Option(
        names = {"-y", "--yes"},
        description = "Do not ask.")
    private boolean yes;

    RemoveCommand(World world) {
      this.world = world;
    }

    @Override
    public Integer call() {
      if (runs.isEmpty() && olderThan == null) {
        throw new ParameterException(spec.commandLine(), "Name runs, or give --older-than");
      }
      return new RemoveRuns(world, common.output(world))
          .remove(runs, Optional.ofNullable(olderThan), checkpoints, yes)
          .code();
    }
  }
}
