package io.elastune.cli.command;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts an option value to a whole number of at least 1. */
final class PositiveIntConverter implements ITypeConverter<Integer> {
  private static final int MAX = 1_000_000;

  @Override
  public Integer convert(String given) {
    try {
      int number = Integer.parseInt(given);
      if (number >= 1 && number <= MAX) {
        return number;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new TypeConversionException(
        "must be a whole number from 1 to " + MAX + ", not '" + given + "'");
  }
}
