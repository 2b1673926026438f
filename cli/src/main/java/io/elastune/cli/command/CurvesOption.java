package io.elastune.cli.command;

import java.util.Optional;
import picocli.CommandLine.Option;

/** The option {@code --curves} of the commands that predict or rehearse. */
final class CurvesOption {
  @Option(
      names = "--curves",
      order = 4,
      paramLabel = "FILE",
      description =
          "Take the metrics of trials, and their durations if given, from the learning curves in a"
              + " CSV file with the columns trial,unit,metric,seconds.")
  private Optional<String> file = Optional.empty();

  /** Returns the file. */
  Optional<String> file() {
    return file;
  }
}
