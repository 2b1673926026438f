package io.elastune.core.files;

/**
 * Something wrong with a file, or with a command-line option that stands for a field of it.
 *
 * @param file the file's name, or the option's
 * @param line from 1; 0 on the command line, or if no line is to blame
 * @param field the path of the field; empty for the file as a whole
 * @param message what is wrong
 * @param hint a suggestion or remedy, e.g. {@code did you mean eta?}; empty without one
 */
public record FileProblem(String file, int line, String field, String message, String hint) {
  public FileProblem {
    field = oneLine(field);
    message = oneLine(message);
    hint = oneLine(hint);
  }

  /** A problem with an option of the command line. */
  public static FileProblem ofOption(String option, String message, String hint) {
    return new FileProblem(option, 0, "", message, hint);
  }

  private static String oneLine(String text) {
    return text.replaceAll("[\\p{Cntrl}\\u0085\\u2028\\u2029]+", " ").strip();
  }

  /** {@code FILE:LINE: FIELD: what is wrong (did you mean X?)}; an option says its field itself. */
  @Override
  public String toString() {
    String place = line > 0 ? file + ":" + line + ": " : file + ": ";
    String subject = field.isEmpty() || file.startsWith("--") ? "" : field + ": ";
    return place + subject + message + (hint.isEmpty() ? "" : " (" + hint + ")");
  }
}
