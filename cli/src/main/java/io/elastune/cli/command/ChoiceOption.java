package io.elastune.cli.command;

import java.util.Optional;
import java.util.OptionalInt;
import picocli.CommandLine.Option;

/** The option {@code --choice} of the commands that plan. */
final class ChoiceOption {
  @Option(
      names = "--choice",
      order = 2,
      paramLabel = "N",
      converter = PositiveIntConverter.class,
      description = "Use plan N of the time-cost frontier, as listed by 'plan --frontier'.")
  private Optional<Integer> choice = Optional.empty();

  /** Returns the requested number, from 1. */
  OptionalInt number() {
    return choice.map(OptionalInt::of).orElseGet(OptionalInt::empty);
  }
}
