package io.elastune.core.config;

import io.elastune.core.text.VisibleText;

/**
 * A problem in a file, or in a command-line option that overrides a field of the file.
 *
 * @param file name of the file or option
 * @param line line number from 1; 0 for options and problems without a line
 * @param field path of the field; empty for the file as a whole
 * @param message what is wrong
 * @param hint suggestion or remedy, e.g. {@code did you mean eta?}; may be empty
 */
public record FileProblem(String file, int line, String field, String message, String hint) {
  private static final int MOST_CHARACTERS = 600;

  public FileProblem {
    field = oneLine(field);
    message = oneLine(message);
    hint = oneLine(hint);
  }

  /** Returns the text as one line. Of a very long one, such as that of a value, the beginning. */
  private static String oneLine(String text) {
    int end = Math.min(text.length(), MOST_CHARACTERS);
    String begin = text.substring(0, end).replaceAll("[\\p{Cntrl}\\u0085\\u2028\\u2029]+", " ");
    return VisibleText.blank(begin).strip() + (end < text.length() ? "…" : "");
  }

  /** Returns {@code FILE:LINE: FIELD: message (hint)}; for an option, the field is omitted. */
  @Override
  public String toString() {
    String place = line > 0 ? file + ":" + line + ": " : file + ": ";
    String subject = field.isEmpty() || file.startsWith("--") ? "" : field + ": ";
    return place + subject + message + (hint.isEmpty() ? "" : " (" + hint + ")");
  }
}
