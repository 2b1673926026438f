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
  public FileProblem {
    field = oneLine(field);
    message = oneLine(message);
    hint = oneLine(hint);
  }

  private static String oneLine(String text) {
    return VisibleText.blank(text.replaceAll("[\\p{Cntrl}\\u0085\\u2028\\u2029]+", " ")).strip();
  }

  /** Returns {@code FILE:LINE: FIELD: message (hint)}; for an option, the field is omitted. */
  @Override
  public String toString() {
    String place = line > 0 ? file + ":" + line + ": " : file + ": ";
    String subject = field.isEmpty() || file.startsWith("--") ? "" : field + ": ";
    return place + subject + message + (hint.isEmpty() ? "" : " (" + hint + ")");
  }
}
