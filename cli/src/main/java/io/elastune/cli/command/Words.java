package io.elastune.cli.command;

import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads one of some words, which are what the constants of an enum call themselves. */
abstract class Words<E extends Enum<E>> implements ITypeConverter<E> {
  private final Class<E> type;

  Words(Class<E> type) {
    this.type = type;
  }

  @Override
  public E convert(String given) {
    return Arrays.stream(type.getEnumConstants())
        .filter(word -> word.toString().equals(given))
        .findFirst()
        .orElseThrow(
            () -> new TypeConversionException("must be " + all() + ", not '" + given + "'"));
  }

  private String all() {
    return Arrays.stream(type.getEnumConstants())
        .map(Enum::toString)
        .collect(Collectors.joining(", "))
        .replaceFirst(", ([^,]*)$", " or $1");
  }
}
