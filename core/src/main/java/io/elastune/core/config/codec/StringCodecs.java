package io.elastune.core.config.codec;

import io.elastune.core.config.yaml.ScalarNode;
import io.elastune.core.config.yaml.ScalarNode.ScalarType;
import io.elastune.core.field.Word;
import io.elastune.core.text.VisibleText;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Codecs for strings. They reject unquoted numbers and booleans. */
public final class StringCodecs {
  private StringCodecs() {}

  /** Returns the codec for any string that is not blank. */
  public static Codec<String> text() {
    return required("string");
  }

  /** Returns the codec for any string, including the empty one. */
  public static Codec<String> textOrEmpty() {
    return any("string");
  }

  /**
   * Returns the codec for a string that matches a pattern.
   *
   * @param type name of the type for messages and documentation
   */
  public static Codec<String> matching(String type, Pattern pattern) {
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("type", "string");
    schema.put("pattern", "^(?:" + pattern.pattern() + ")$");
    return required(type)
        .that(
            type,
            text ->
                pattern.matcher(text).matches()
                    ? ReadResult.valid(text)
                    : ReadResult.invalid(Articles.mustBe(type, "\"" + text + "\"")))
        .withJsonSchema(schema);
  }

  /**
   * Returns the codec for a string that passes a validation.
   *
   * @param type name of the type for messages and documentation
   */
  public static Codec<String> checked(String type, Function<String, ReadResult<String>> demand) {
    return required(type).that(type, demand);
  }

  /** Returns the codec for a value of an enumeration. */
  public static <E extends Enum<E> & Word> Codec<E> word(E[] values) {
    return word(values, Word::word, List.of());
  }

  /**
   * Returns the codec for a value of an enumeration.
   *
   * @param later names that are reserved for later versions
   */
  public static <E extends Enum<E>> Codec<E> word(
      E[] values, Function<E, String> wordOf, List<String> later) {
    return word(values, wordOf, later, Map.of());
  }

  /**
   * Returns the codec for a value of an enumeration.
   *
   * @param later names that are reserved for later versions
   * @param replaced names with what to write instead
   */
  public static <E> Codec<E> word(
      E[] values, Function<E, String> wordOf, List<String> later, Map<String, String> replaced) {
    Map<String, E> byWord = new LinkedHashMap<>();
    Arrays.asList(values).forEach(value -> byWord.put(wordOf.apply(value), value));
    return new ScalarCodec<>(
        String.join(" | ", byWord.keySet()),
        OrderedMaps.map("enum", List.copyOf(byWord.keySet())),
        scalar -> readWord(scalar, byWord, later, replaced),
        wordOf::apply);
  }

  /** Returns the codec for one of several strings. */
  public static Codec<String> oneOf(List<String> words) {
    Map<String, String> byWord = new LinkedHashMap<>();
    words.forEach(word -> byWord.put(word, word));
    return new ScalarCodec<>(
        String.join(" | ", words),
        OrderedMaps.map("enum", words),
        scalar -> readWord(scalar, byWord, List.of(), Map.of()),
        word -> word);
  }

  private static <E> ReadResult<E> readWord(
      ScalarNode scalar, Map<String, E> byWord, List<String> later, Map<String, String> replaced) {
    E value = scalar.kind() == ScalarType.STRING ? byWord.get(scalar.text()) : null;
    if (value != null) {
      return ReadResult.valid(value);
    }
    String all = String.join(", ", byWord.keySet());
    String instead = replaced.get(scalar.text());
    if (instead != null) {
      return ReadResult.invalid(scalar.text() + " is not an algorithm of its own", instead);
    }
    if (later.contains(scalar.text())) {
      return ReadResult.invalid(scalar.text() + " is not yet available", "available: " + all);
    }
    return ReadResult.invalid(
        "must be one of " + all + ", not " + scalar.describe(),
        NearestName.hint(scalar.text(), byWord.keySet()));
  }

  private static ScalarCodec<String> required(String type) {
    return any(type)
        .that(
            type,
            text ->
                text.isBlank() ? ReadResult.invalid("must not be empty") : ReadResult.valid(text));
  }

  private static ScalarCodec<String> any(String type) {
    return new ScalarCodec<>(
        type,
        OrderedMaps.map("type", "string"),
        scalar ->
            scalar.kind() == ScalarType.STRING
                ? printable(scalar.text())
                : ReadResult.invalid(
                    Articles.mustBe(type, scalar.describe()),
                    "put it in quotes: \"" + scalar.displayText() + "\""),
        text -> text);
  }

  /**
   * Rejects characters that are not shown: quoted strings may contain any character, but process
   * arguments may not contain all, and screens would not show what the file says.
   */
  private static ReadResult<String> printable(String text) {
    OptionalInt invisible = VisibleText.firstInvisible(text, "\n\t\r");
    return invisible.isPresent()
        ? ReadResult.invalid(
            "must not contain the character " + VisibleText.name(invisible.getAsInt()),
            "screens cannot show it")
        : ReadResult.valid(text);
  }
}
