package io.elastune.cli.text;

import java.util.List;

/**
 * Shortens a message that ends with a program's output to one line: the event, and the last line of
 * output.
 */
public final class OutputExcerpt {
  private static final String LAST_LINES = "; last lines:";
  private static final int MOST_LETTERS = 140;

  private OutputExcerpt() {}

  /** Returns the first line of the message and, if output follows, the last line of the output. */
  public static String of(String message) {
    List<String> lines = message.lines().map(String::strip).filter(l -> !l.isEmpty()).toList();
    if (lines.isEmpty()) {
      return "";
    }
    String first = lines.get(0);
    boolean outputFollows = first.endsWith(LAST_LINES) && lines.size() > 1;
    String line =
        outputFollows ? first.replace(LAST_LINES, ": ") + lines.get(lines.size() - 1) : first;
    return line.length() <= MOST_LETTERS ? line : line.substring(0, MOST_LETTERS) + " …";
  }
}
