package io.elastune.core.config.yaml;

/** The character with which some editors begin files in UTF-8. It is no part of the text. */
public final class ByteOrderMark {
  static final char CHARACTER = 0xFEFF;

  private ByteOrderMark() {}

  /** Returns the text of a file without the mark. */
  public static String strip(String text) {
    return !text.isEmpty() && text.charAt(0) == CHARACTER ? text.substring(1) : text;
  }
}
