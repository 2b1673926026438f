package io.elastune.cli.text;

/** A word of a command line, as the user has to type it in a POSIX shell. */
public final class ShellWord {
  private static final String NEEDS_NO_QUOTES = "[\\w.,:/@%+=-]+";

  private ShellWord() {}

  /** Returns the text, in quotes if a shell would not read it as one word. */
  public static String of(String text) {
    return text.matches(NEEDS_NO_QUOTES) ? text : "'" + text.replace("'", "'\\''") + "'";
  }
}
