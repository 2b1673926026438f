package io.elastune.cli.command;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.service.CalibrationService;
import io.elastune.cli.service.ProfilesService;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists, shows and removes stored profiles, and checks past predictions. */
@Command(
    name = "profiles",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ProfilesCommand.ListCommand.class,
      ProfilesCommand.ShowCommand.class,
      ProfilesCommand.RemoveCommand.class,
      ProfilesCommand.CalibrationCommand.class
    },
    header = "List, show and remove stored profiles; check past predictions.",
    footer = {"", "Example:", "  elastune profiles list"})
public final class ProfilesCommand extends CommandGroup {
  @Command(
      name = "list",
      header = "List the stored profiles.",
      footer = {"", "Example:", "  elastune profiles list --json"})
  static final class ListCommand extends Subcommand {
    @Override
    int execute(CliEnvironment cliEnvironment, Output output) {
      return new ProfilesService(cliEnvironment, output).list().code();
    }
  }

  @Command(
      name = "show",
      header = "Print a stored profile in the format of a profile file.",
      footer = {"", "Example:", "  elastune profiles show NAME > profile.yaml"})
  static final class ShowCommand extends Subcommand {
    @Parameters(
        paramLabel = "NAME",
        description = "The profile's name, from 'elastune profiles list'.")
    private String name = "";

    @Override
    int execute(CliEnvironment cliEnvironment, Output output) {
      return new ProfilesService(cliEnvironment, output).show(name).code();
    }
  }

  @Command(
      name = "rm",
      header = "Remove a stored profile. The next run measures it again.",
      footer = {"", "Example:", "  elastune profiles rm NAME"})
  static final class RemoveCommand extends Subcommand {
    @Parameters(
        paramLabel = "NAME",
        description = "The profile's name, from 'elastune profiles list'.")
    private String name = "";

    @Override
    int execute(CliEnvironment cliEnvironment, Output output) {
      return new ProfilesService(cliEnvironment, output).remove(name).code();
    }
  }

  @Command(
      name = "check",
      header = "Compare past predictions with the actual times and costs of their runs.",
      footer = {"", "Example:", "  elastune profiles check --svg reliability.svg"})
  static final class CalibrationCommand extends Subcommand {
    @Option(
        names = "--svg",
        paramLabel = "FILE",
        description = "Save the reliability diagram as an SVG image.")
    private Optional<String> svg = Optional.empty();

    @Option(names = "--simulated", description = "Check simulated runs instead of real ones.")
    private boolean simulated;

    @Override
    int execute(CliEnvironment cliEnvironment, Output output) {
      return new CalibrationService(cliEnvironment, output).check(simulated, svg).code();
    }
  }
}
