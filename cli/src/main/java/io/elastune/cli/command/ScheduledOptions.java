package io.elastune.cli.command;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.core.config.Overrides;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The options of {@code run} in a schedule. */
final class ScheduledOptions {
  private static final String FILE = "FILE";

  private final CliEnvironment cliEnvironment;
  private final RunCommand run;
  private final ParseResult parsed;

  /**
   * Parses the options.
   *
   * @param command the command, for errors
   * @throws ParameterException if they are invalid, or cannot be scheduled
   */
  ScheduledOptions(
      Subcommand command, CliEnvironment cliEnvironment, String job, List<String> options) {
    this.cliEnvironment = cliEnvironment;
    this.run = new RunCommand();
    List<String> arguments = new ArrayList<>(List.of(job));
    arguments.addAll(options);
    try {
      parsed = new CommandLine(run).parseArgs(arguments.toArray(String[]::new));
    } catch (ParameterException e) {
      throw command.invalid("run options: " + e.getMessage());
    }
    if (run.isDetached()) {
      throw command.invalid("run options: --detach cannot be scheduled; the timer waits");
    }
  }

  Overrides overrides() {
    return run.overrides(cliEnvironment);
  }

  /** Returns the options with absolute paths, because a timer has another working folder. */
  List<String> withAbsolutePaths() {
    List<String> words = new ArrayList<>();
    for (OptionSpec option : parsed.matchedOptionsSet()) {
      if (option.arity().max() == 0) {
        words.add(option.longestName());
        continue;
      }
      for (String value : option.originalStringValues()) {
        boolean file = option.paramLabel().equals(FILE);
        words.add(
            option.longestName() + "=" + (file ? cliEnvironment.path(value).toString() : value));
      }
    }
    return words;
  }
}
