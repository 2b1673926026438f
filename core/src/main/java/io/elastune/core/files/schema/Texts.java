package io.elastune.core.files.schema;

import io.elastune.core.files.tree.ScalarNode;
import io.elastune.core.files.tree.ScalarNode.Kind;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Codecs for strings. They reject unquoted numbers and booleans. */
public final class Texts {
  private Texts() {}

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
                    ? Reading.right(text)
                    : Reading.wrong("must be a " + type + ", not \"" + text + "\""))
        .withJsonSchema(schema);
  }

  /**
   * Returns the codec for a string that passes a validation.
   *
   * @param type name of the type for messages and documentation
   */
  public static Codec<String> checked(String type, Function<String, Reading<String>> demand) {
    return required(type).that(type, demand);
  }

  /** Returns the codec for a value of an enumeration. */
  public static <E extends Enum<E>> Codec<E> word(E[] values, Function<E, String> wordOf) {
    return word(values, wordOf, List.of());
  }

  /**
   * Returns the codec for a value of an enumeration.
   *
   * @param later names that are reserved for later versions
   */
  public static <E extends Enum<E>> Codec<E> word(
      E[] values, Function<E, String> wordOf, List<String> later) {
    Map<String, E> byWord = new LinkedHashMap<>();
    Arrays.asList(values).forEach(value -> byWord.put(wordOf.apply(value), value));
    return new ScalarCodec<>(
        String.join(" | ", byWord.keySet()),
        Ordered.map("enum", List.copyOf(byWord.keySet())),
        scalar -> readWord(scalar, byWord, later),
        wordOf::apply);
  }

  /** Returns the codec for one of several strings. */
  public static Codec<String> oneOf(List<String> words) {
    Map<String, String> byWord = new LinkedHashMap<>();
    words.forEach(word -> byWord.put(word, word));
    return new ScalarCodec<>(
        String.join(" | ", words),
        Ordered.map("enum", words),
        scalar -> readWord(scalar, byWord, List.of()),
        word -> word);
  }

  private static <E> Reading<E> readWord(
      ScalarNode scalar, Map<String, E> byWord, List<String> later) {
    E value = scalar.kind() == Kind.TEXT ? byWord.get(scalar.text()) : null;
    if (value != null) {
      return Reading.right(value);
    }
    String all = String.join(", ", byWord.keySet());
    if (later.contains(scalar.text())) {
      return Reading.wrong(scalar.text() + " is not yet available", "available: " + all);
    }
    return Reading.wrong(
        "must be one of " + all + ", not " + scalar.describe(),
        Nearest.hint(scalar.text(), byWord.keySet()));
  }

  private static ScalarCodec<String> required(String type) {
    return any(type)
        .that(
            type,
            text -> text.isBlank() ? Reading.wrong("must not be empty") : Reading.right(text));
  }

  private static ScalarCodec<String> any(String type) {
    return new ScalarCodec<>(
        type,
        Ordered.map("type", "string"),
        scalar ->
            scalar.kind() == Kind.TEXT
                ? printable(scalar.text())
                : Reading.wrong(
                    "must be a " + type + ", not " + scalar.describe(),
                    "put it in quotes: \"" + scalar.shown() + "\""),
        text -> text);
  }

  /**
   * Rejects control characters: quoted strings may contain any character, but process arguments may
   * not.
   */
  private static Reading<String> printable(String text) {
    boolean control = text.chars().anyMatch(c -> c < ' ' && "\n\t\r".indexOf(c) < 0);
    return control ? Reading.wrong("must not contain control characters") : Reading.right(text);
  }
}
