package io.elastune.executor.protocol;

/** Prepares text that a trial wrote for use in a message. */
public final class MessageText {
  private static final int MAX_CHARS = 200;

  private MessageText() {}

  /**
   * Returns the text as one short line that is safe to show on a terminal: no control characters,
   * at most 200 characters. Its indentation is kept.
   */
  public static String singleLine(String line) {
    String clean = line.replaceAll("\\p{Cntrl}", " ").stripTrailing();
    return clean.length() <= MAX_CHARS ? clean : clean.substring(0, MAX_CHARS) + "…";
  }
}
