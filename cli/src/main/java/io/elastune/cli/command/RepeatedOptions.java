package io.elastune.cli.command;

import io.elastune.core.ShellWord;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Given options that several commands share, to suggest another one of these commands. */
final class RepeatedOptions {
  private RepeatedOptions() {}

  /**
   * Returns the options as the user has to type them, except the excluded ones; empty if none is
   * left.
   *
   * @param given the command that was parsed
   * @param mixin the name of its mixin with the shared options
   */
  static String of(CommandSpec given, String mixin, List<String> excluded) {
    CommandSpec shared = Objects.requireNonNull(given.mixins().get(mixin), mixin);
    return given.commandLine().getParseResult().matchedOptions().stream()
        .filter(option -> shared.findOption(option.longestName()) != null)
        .filter(option -> !excluded.contains(option.longestName()))
        .map(RepeatedOptions::text)
        .collect(Collectors.joining(" "));
  }

  private static String text(OptionSpec option) {
    String value = String.join(",", option.originalStringValues());
    if (option.arity().max() == 0) {
      return option.longestName();
    }
    return option.longestName() + " " + ShellWord.of(value);
  }
}
