package io.elastune.cli.command;

import java.util.Optional;
import picocli.CommandLine.Option;

/** The option {@code --max-instances} of the commands that rent or plan. */
final class MaxInstancesOption {
  @Option(
      names = "--max-instances",
      order = 60,
      paramLabel = "N",
      description = "Override the maximum number of instances at any time.")
  private Optional<String> number = Optional.empty();

  /** Returns the number as it was typed. */
  Optional<String> number() {
    return number;
  }
}
