package io.elastune.cli.command;

import io.elastune.cli.world.Output;
import io.elastune.cli.world.World;
import picocli.CommandLine.Option;

/** What every command takes. */
final class CommonOptions {
  @Option(
      names = "--json",
      order = 100,
      description = "Print JSON on standard output, and text for people on standard error.")
  private boolean json;

  @Option(
      names = "--clouds",
      order = 99,
      paramLabel = "FILE",
      description = "How accounts are set up. Default: clouds.yaml below $$ELASTUNE_HOME.")
  void clouds(String file) {
    // Read from the arguments: the world is there before any command.
  }

  @Option(
      names = {"-v", "--verbose"},
      order = 101,
      description = "Say more; after a bug of ours, with its stack trace.")
  void verbose(boolean wanted) {
    // Read from the arguments where an exception is mapped: it may come before any command.
  }

  @Option(
      names = {"-h", "--help"},
      order = 102,
      usageHelp = true,
      description = "Show this help and exit.")
  void help(boolean wanted) {
    // Picocli shows the help by itself.
  }

  Output output(World world) {
    return new Output(world, json);
  }
}
