package io.elastune.cli.command;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Version;
import io.elastune.cli.remote.CommandRunner;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The root command. Without a subcommand, it shows the help and fails. */
@Command(
    name = "elastune",
    mixinStandardHelpOptions = true,
    versionProvider = ElastuneCommand.VersionText.class,
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    optionListHeading = "%nOptions:%n",
    header = "Tunes hyperparameters within a deadline and a budget, on elastic cloud GPUs.",
    footer = {
      "",
      "Example:",
      "  elastune init my-job && elastune run my-job/job.yaml",
      "  elastune --host ana@controller run my-job/job.yaml",
      "",
      "Run 'elastune COMMAND --help' for more about a command."
    })
public final class ElastuneCommand implements Runnable {
  private final CliEnvironment cliEnvironment;
  private final CommandRunner commands;

  @Spec private CommandSpec spec = CommandSpec.create();

  /**
   * Creates the root of one command line.
   *
   * @param cliEnvironment the environment of its subcommand
   * @param commands runs the command lines that a subcommand starts
   */
  public ElastuneCommand(CliEnvironment cliEnvironment, CommandRunner commands) {
    this.cliEnvironment = cliEnvironment;
    this.commands = commands;
  }

  @Option(
      names = "--host",
      paramLabel = "[USER@]HOST",
      description =
          "Run the command on this machine over ssh, with the job's files of this one. Precedes the"
              + " command.")
  void host(String host) {
    // CommandLineApp reads it from the arguments: the command is then not executed here.
  }

  @Option(
      names = "--remote-elastune",
      paramLabel = "PATH",
      description = "With --host: the program there. Default: elastune, on the PATH there.")
  void remoteElastune(String path) {
    // HostOptions reads it from the arguments.
  }

  CliEnvironment environment() {
    return cliEnvironment;
  }

  CommandRunner commands() {
    return commands;
  }

  @Override
  public void run() {
    CommandLine line = spec.commandLine();
    line.usage(line.getErr());
    throw new ParameterException(line, "No command given");
  }

  /** Provides the version text. */
  static final class VersionText implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"elastune " + Version.withBuild()};
    }
  }
}
