package io.elastune.cli.command;

import picocli.CommandLine.Option;

/** The options of the commands that can execute a run in the background. */
final class DetachOptions {
  @Option(
      names = {"-d", "--detach"},
      order = 2,
      description = "Execute the run in the background, once it is confirmed.")
  private boolean detach;

  @Option(
      names = {"-f", "--follow"},
      order = 2,
      description =
          "Execute the run in the background and follow it until it ends. Ctrl-C stops it as"
              + " without this option. It continues if the terminal or the connection closes.")
  private boolean follow;

  boolean detach() {
    return detach || follow;
  }

  boolean follow() {
    return follow;
  }
}
