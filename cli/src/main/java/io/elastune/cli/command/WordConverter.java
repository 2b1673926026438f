package io.elastune.cli.command;

import io.elastune.core.field.Word;
import io.elastune.inputs.OptionWords;
import java.util.Iterator;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts an option value to one of several choices, and lists them for completion. */
abstract class WordConverter<T extends Word> implements ITypeConverter<T>, Iterable<String> {
  private final OptionWords<T> choices;

  WordConverter(List<T> choices) {
    this(new OptionWords<>(choices));
  }

  WordConverter(OptionWords<T> choices) {
    this.choices = choices;
  }

  @Override
  public T convert(String given) {
    try {
      return choices.parse(given);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public Iterator<String> iterator() {
    return choices.words().iterator();
  }
}
