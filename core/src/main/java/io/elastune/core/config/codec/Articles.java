package io.elastune.core.config.codec;

/** The indefinite article of a type in messages. */
final class Articles {
  private static final String VOWELS = "aeiouAEIOU";

  private Articles() {}

  /** Returns a type with its article, such as {@code an id that begins with sg-}. */
  static String with(String type) {
    return (VOWELS.indexOf(type.charAt(0)) < 0 ? "a " : "an ") + type;
  }
}
