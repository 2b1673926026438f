package io.elastune.core;

/** A text as one word of a command line in a POSIX shell. */
public final class ShellWord {
  private static final String NEEDS_NO_QUOTES = "[\\w.,:/@%+=-]+";

  private ShellWord() {}

  /** Returns the text, in quotes if a shell would not read it as one word. */
  public static String of(String text) {
    return text.matches(NEEDS_NO_QUOTES) ? text : quoted(text);
  }

  /** Returns the text in quotes. */
  public static String quoted(String text) {
    return "'" + withinQuotes(text) + "'";
  }

  /** Returns the text as a part of a word that single quotes enclose. */
  public static String withinQuotes(String text) {
    return text.replace("'", "'\\''");
  }
}
