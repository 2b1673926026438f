package io.elastune.inputs;

import io.elastune.core.field.Word;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The words that an option accepts.
 *
 * @param choices what they mean
 */
public record OptionWords<T extends Word>(List<T> choices) {
  public OptionWords {
    choices = List.copyOf(choices);
  }

  /** Returns the words. */
  public List<String> words() {
    return choices.stream().map(Word::word).toList();
  }

  /**
   * Returns what a word means.
   *
   * @throws IllegalArgumentException if the option does not accept it, with the words
   */
  public T parse(String given) {
    return choices.stream()
        .filter(choice -> choice.word().equals(given))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "must be "
                        + words().stream()
                            .collect(Collectors.joining(", "))
                            .replaceFirst(", ([^,]*)$", " or $1")
                        + ", not '"
                        + given
                        + "'"));
  }

  /**
   * Returns what the value of an option means.
   *
   * @throws io.elastune.core.config.FileProblemsException if the option does not accept it
   */
  public T parse(String option, String given) {
    try {
      return parse(given);
    } catch (IllegalArgumentException e) {
      throw JobProblems.option(option, String.valueOf(e.getMessage()), "");
    }
  }
}
