package io.elastune.cli.command;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import picocli.CommandLine.Option;

/** The options of every command. */
final class CommonOptions {
  @Option(
      names = "--json",
      order = 100,
      description = "Print JSON to standard output and the text output to standard error.")
  private boolean json;

  @Option(
      names = "--clouds",
      order = 99,
      paramLabel = "FILE",
      description = "Settings of the cloud accounts. Default: clouds.yaml in $$ELASTUNE_HOME.")
  void clouds(String file) {
    // CommandLineApp reads it from the arguments: the environment is created before any command.
  }

  @Option(
      names = {"-v", "--verbose"},
      order = 101,
      description =
          "Verbose output, with the bounds of a plan and stack traces for internal errors.")
  private boolean verbose; // Failures reads it from the arguments: no command may exist yet.

  @Option(
      names = {"-h", "--help"},
      order = 102,
      usageHelp = true,
      description = "Show this help and exit.")
  void help(boolean wanted) {
    // Picocli shows the help.
  }

  Output output(CliEnvironment cliEnvironment) {
    return new Output(cliEnvironment, json, verbose);
  }
}
