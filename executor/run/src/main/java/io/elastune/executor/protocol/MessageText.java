package io.elastune.executor.protocol;

import io.elastune.core.text.VisibleText;
import java.util.regex.Pattern;

/** Prepares text that a trial wrote for use in a message. */
public final class MessageText {
  private static final int MAX_CHARS = 200;

  /** Sets a color, or moves the cursor. */
  private static final Pattern ESCAPES = Pattern.compile("\u001b\\[[0-9;?]*[A-Za-z]");

  private MessageText() {}

  /**
   * Returns the text as one short line of visible characters ({@link VisibleText}), at most 200 of
   * them. Its indentation is kept. Of a line that was written several times, such as that of a
   * progress bar, this is the last version.
   */
  public static String singleLine(String line) {
    String plain = withoutEscapes(line).stripTrailing();
    String last = plain.substring(plain.lastIndexOf('\r') + 1);
    String clean = VisibleText.blank(last).stripTrailing();
    return clean.length() <= MAX_CHARS ? clean : clean.substring(0, MAX_CHARS) + "…";
  }

  /** Returns the text without its colors and movements of the cursor. */
  static String withoutEscapes(String text) {
    return text.indexOf('\u001b') < 0 ? text : ESCAPES.matcher(text).replaceAll("");
  }
}
