package io.elastune.cli.command;

import io.elastune.core.field.Word;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts an option value to one of several choices, and lists them for completion. */
abstract class WordConverter<T extends Word> implements ITypeConverter<T>, Iterable<String> {
  private final List<T> choices;

  WordConverter(List<T> choices) {
    this.choices = choices;
  }

  @Override
  public T convert(String given) {
    return choices.stream()
        .filter(choice -> choice.word().equals(given))
        .findFirst()
        .orElseThrow(
            () -> new TypeConversionException("must be " + all() + ", not '" + given + "'"));
  }

  @Override
  public Iterator<String> iterator() {
    return words().iterator();
  }

  private Stream<String> words() {
    return choices.stream().map(Word::word);
  }

  private String all() {
    return words().collect(Collectors.joining(", ")).replaceFirst(", ([^,]*)$", " or $1");
  }
}
