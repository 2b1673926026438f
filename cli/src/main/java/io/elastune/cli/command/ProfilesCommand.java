package io.elastune.cli.command;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.service.ProfilesService;
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
  public static CommandLine tree(CliEnvironment cliEnvironment) {
    CommandLine line = new CommandLine(new ProfilesCommand());
    line.addSubcommand(new ListCommand(cliEnvironment));
    line.addSubcommand(new ShowCommand(cliEnvironment));
    line.addSubcommand(new RemoveCommand(cliEnvironment));
    return line;
  }

  @Command(
      name = "list",
      header = "List the stored profiles.",
      footer = {"", "Example:", "  elastune profiles list --json"})
  static final class ListCommand implements Callable<Integer> {
    private final CliEnvironment cliEnvironment;
    @Mixin private CommonOptions common = new CommonOptions();

    ListCommand(CliEnvironment cliEnvironment) {
      this.cliEnvironment = cliEnvironment;
    }

    @Override
    public Integer call() {
      return new ProfilesService(cliEnvironment, common.output(cliEnvironment)).list().code();
    }
  }

  @Command(
      name = "show",
      header = "Print a stored profile in the format of a profile file.",
      footer = {"", "Example:", "  elastune profiles show NAME > profile.yaml"})
  static final class ShowCommand implements Callable<Integer> {
    private final CliEnvironment cliEnvironment;
    @Mixin private CommonOptions common = new CommonOptions();

    @Parameters(
        paramLabel = "NAME",
        description = "The profile's name, from 'elastune profiles list'.")
    private String name = "";

    ShowCommand(CliEnvironment cliEnvironment) {
      this.cliEnvironment = cliEnvironment;
    }

    @Override
    public Integer call() {
      return new ProfilesService(cliEnvironment, common.output(cliEnvironment)).show(name).code();
    }
  }

  @Command(
      name = "rm",
      header = "Remove a stored profile. The next run measures it again.",
      footer = {"", "Example:", "  elastune profiles rm NAME"})
  static final class RemoveCommand implements Callable<Integer> {
    private final CliEnvironment cliEnvironment;
    @Mixin private CommonOptions common = new CommonOptions();

    @Parameters(
        paramLabel = "NAME",
        description = "The profile's name, from 'elastune profiles list'.")
    private String name = "";

    RemoveCommand(CliEnvironment cliEnvironment) {
      this.cliEnvironment = cliEnvironment;
    }

    @Override
    public Integer call() {
      return new ProfilesService(cliEnvironment, common.output(cliEnvironment)).remove(name).code();
    }
  }
}
