package io.elastune.cli.command;

import io.elastune.cli.action.KeptProfiles;
import io.elastune.cli.world.World;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists, shows and removes stored profiles. */
@Command(
    name = "profiles",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    header = "List, show and remove stored profiles.",
    footer = {"", "Example:", "  elastune profiles list"})
public final class ProfilesCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Specify list, show or rm");
  }

  /** Returns this command with its subcommands. */
  public static CommandLine tree(World world) {
    CommandLine line = new CommandLine(new ProfilesCommand());
    line.addSubcommand(new ListCommand(world));
    line.addSubcommand(new ShowCommand(world));
    line.addSubcommand(new RemoveCommand(world));
    return line;
  }

  @Command(
      name = "list",
      header = "List the stored profiles.",
      footer = {"", "Example:", "  elastune profiles list --json"})
  static final class ListCommand implements Callable<Integer> {
    private final World world;
    @Mixin private CommonOptions common = new CommonOptions();

    ListCommand(World world) {
      this.world = world;
    }

    @Override
    public Integer call() {
      return new KeptProfiles(world, common.output(world)).list().code();
    }
  }

  @Command(
      name = "show",
      header = "Print a stored profile in the format of a profile file.",
      footer = {"", "Example:", "  elastune profiles show NAME > profile.yaml"})
  static final class ShowCommand implements Callable<Integer> {
    private final World world;
    @Mixin private CommonOptions common = new CommonOptions();

    @Parameters(
        paramLabel = "NAME",
        description = "The profile's name, from 'elastune profiles list'.")
    private String name = "";

    ShowCommand(World world) {
      this.world = world;
    }

    @Override
    public Integer call() {
      return new KeptProfiles(world, common.output(world)).show(name).code();
    }
  }

  @Command(
      name = "rm",
      header = "Remove a stored profile. The next run measures it again.",
      footer = {"", "Example:", "  elastune profiles rm NAME"})
  static final class RemoveCommand implements Callable<Integer> {
    private final World world;
    @Mixin private CommonOptions common = new CommonOptions();

    @Parameters(
        paramLabel = "NAME",
        description = "The profile's name, from 'elastune profiles list'.")
    private String name = "";

    RemoveCommand(World world) {
      this.world = world;
    }

    @Override
    public Integer call() {
      return new KeptProfiles(world, common.output(world)).remove(name).code();
    }
  }
}
