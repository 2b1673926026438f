package io.elastune.core.text;

import java.util.HexFormat;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The rule for characters of text that others have written: trials, job files, clouds. Characters
 * that a terminal executes, or that change how other text is shown, are not shown as they are:
 * control characters (C0, DEL and C1), line and paragraph separators, formatting characters, among
 * them those that change the direction of text, and halves of surrogate pairs. The joiners of emoji
 * and of Indic scripts are shown.
 */
public final class VisibleText {
  private static final HexFormat HEX = HexFormat.of();
  private static final int ZERO_WIDTH_NON_JOINER = 0x200C;
  private static final int ZERO_WIDTH_JOINER = 0x200D;

  private VisibleText() {}

  /** Returns whether a character is shown as it is. */
  public static boolean isVisible(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          false;
      case Character.FORMAT -> codePoint == ZERO_WIDTH_JOINER || codePoint == ZERO_WIDTH_NON_JOINER;
      default -> true;
    };
  }

  /**
   * Returns the first character that is not shown; empty if there is none.
   *
   * @param allowed characters that do not count, such as line breaks
   */
  public static OptionalInt firstInvisible(String text, String allowed) {
    return text.codePoints()
        .filter(codePoint -> !isVisible(codePoint) && allowed.indexOf(codePoint) < 0)
        .findFirst();
  }

  /** Returns the name of a character for messages, such as {@code U+202E}. */
  public static String name(int codePoint) {
    return String.format(Locale.ROOT, "U+%04X", codePoint);
  }

  /**
   * Returns the text with each character that is not shown as JSON escapes it, such as a backslash
   * and {@code u202e}. Different texts stay different for readers, and JSON keeps its meaning.
   */
  public static String escape(String text) {
    return escape(text, "");
  }

  /** Same as {@link #escape(String)}, but keeps tabs and line breaks. */
  public static String escapeLines(String text) {
    return text.indexOf('\r') < 0
        ? escape(text, "\n\t")
        : Stream.of(text.split("\r\n", -1))
            .map(part -> escape(part, "\n\t"))
            .collect(Collectors.joining("\r\n"));
  }

  private static String escape(String text, String allowed) {
    if (firstInvisible(text, allowed).isEmpty()) {
      return text;
    }
    StringBuilder escaped = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            codePoint -> {
              if (isVisible(codePoint) || allowed.indexOf(codePoint) >= 0) {
                escaped.appendCodePoint(codePoint);
              } else {
                for (char unit : Character.toChars(codePoint)) {
                  escaped.append("\\u").append(HEX.toHexDigits(unit));
                }
              }
            });
    return escaped.toString();
  }

  /** Returns the text with a space for each character that is not shown. */
  public static String blank(String text) {
    if (firstInvisible(text, "").isEmpty()) {
      return text;
    }
    StringBuilder blank = new StringBuilder(text.length());
    text.codePoints().forEach(c -> blank.appendCodePoint(isVisible(c) ? c : ' '));
    return blank.toString();
  }
}
