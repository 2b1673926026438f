package io.elastune.cli.inspect;

import io.elastune.core.text.VisibleText;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lines of the log of a trial as {@code elastune logs} shows them: text and colors, nothing else.
 */
final class TerminalLog {
  private static final String RESET = "\u001b[0m";

  /** Sequences that terminals execute: with parameters, with a text, or with one character. */
  private static final Pattern SEQUENCE =
      Pattern.compile(
          "\u001b(?:\\[[0-?]*[ -/]*[@-~]|[\\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\\\)?|[ -/]*[0-~])");

  /** Colors and styles. */
  private static final Pattern COLOR = Pattern.compile("\u001b\\[[0-9;:]*m");

  private TerminalLog() {}

  /**
   * Returns a line with its colors, which end with it. Other sequences are left out, and other
   * characters that are not shown are escaped. Of a line that was written several times, such as
   * that of a progress bar, this is the last version.
   */
  static String shown(String line) {
    String last = lastVersion(line);
    StringBuilder shown = new StringBuilder(last.length());
    boolean isColored = false;
    int next = 0;
    Matcher sequences = SEQUENCE.matcher(last);
    while (sequences.find()) {
      shown.append(VisibleText.escapeLines(last.substring(next, sequences.start())));
      if (COLOR.matcher(sequences.group()).matches()) {
        shown.append(sequences.group());
        isColored = true;
      }
      next = sequences.end();
    }
    shown.append(VisibleText.escapeLines(last.substring(next)));
    return isColored ? shown.append(RESET).toString() : shown.toString();
  }

  private static String lastVersion(String line) {
    int end = line.length();
    while (end > 0 && line.charAt(end - 1) == '\r') {
      end--;
    }
    return line.substring(line.lastIndexOf('\r', end - 1) + 1, end);
  }
}
