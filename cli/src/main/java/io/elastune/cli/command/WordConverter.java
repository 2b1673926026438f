package io.elastune.cli.command;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts an option value to one of several choices. */
abstract class WordConverter<T> implements ITypeConverter<T> {
  private final List<T> choices;
  private final Function<T, String> word;

  WordConverter(List<T> choices, Function<T, String> word) {
    this.choices = choices;
    this.word = word;
  }

  @Override
  public T convert(String given) {
    return choices.stream()
        .filter(choice -> word.apply(choice).equals(given))
        .findFirst()
        .orElseThrow(
            () -> new TypeConversionException("must be " + all() + ", not '" + given + "'"));
  }

  private String all() {
    return choices.stream()
        .map(word)
        .collect(Collectors.joining(", "))
        .replaceFirst(", ([^,]*)$", " or $1");
  }
}
