package io.elastune.core.config.codec;

/** Types with their indefinite articles, in messages. */
final class Articles {
  private static final String VOWELS = "aeiouAEIOU";

  private Articles() {}

  /** Returns a type with its article, such as {@code an id that begins with sg-}. */
  static String with(String type) {
    return (VOWELS.indexOf(type.charAt(0)) < 0 ? "a " : "an ") + type;
  }

  /**
   * Returns the message that a value must have a type.
   *
   * @param found the value, as shown
   */
  static String mustBe(String type, String found) {
    return "must be " + with(type) + ", not " + found;
  }
}
