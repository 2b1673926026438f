package io.elastune.cli.command;

import io.elastune.cli.env.CliEnvironment;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option {@code --offers} of the commands that plan. */
final class OffersOption {
  @Option(
      names = "--offers",
      order = 55,
      paramLabel = "FILE",
      description = "Use the offers in this file.")
  private Optional<String> file = Optional.empty();

  /** Returns the file with its absolute path. */
  Optional<String> file(CliEnvironment cliEnvironment) {
    return file.map(path -> cliEnvironment.path(path).toString());
  }
}
