package io.elastune.cli.command;

import java.util.Optional;
import picocli.CommandLine.Option;

/** The option {@code --trials} of the commands that plan. */
final class TrialsOption {
  @Option(
      names = "--trials",
      order = 61,
      paramLabel = "N",
      description = "Override the number of trials at the start.")
  private Optional<String> number = Optional.empty();

  /** Returns the number as it was typed. */
  Optional<String> number() {
    return number;
  }
}
