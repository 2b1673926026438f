package io.elastune.core.config.yaml;

import java.util.Optional;

/** The text of a file: checks its characters and provides access by code point. */
final class SourceText {
  private static final int LONGEST = 3_000_000;
  private static final int REPLACEMENT = 0xFFFD;

  private final String text;
  private final int[] codePoints;
  private final int lines;

  private SourceText(String text) {
    this.text = text;
    this.codePoints = text.codePoints().toArray();
    this.lines = Math.max(1, (int) text.lines().count());
  }

  static SourceText of(String text) {
    return new SourceText(ByteOrderMark.strip(text));
  }

  /** A property that makes the text invalid as YAML. */
  record TextFlaw(int line, String message) {}

  String text() {
    return text;
  }

  Optional<TextFlaw> flaw() {
    if (codePoints.length > LONGEST) {
      return Optional.of(
          new TextFlaw(
              1, "the file has more than " + LONGEST + " characters; is it the right one?"));
    }
    int line = 1;
    for (int codePoint : codePoints) {
      if (codePoint == '\n') {
        line++;
      } else if (!isReadable(codePoint)) {
        String sign = String.format("U+%04X", codePoint);
        return Optional.of(
            new TextFlaw(line, "contains the character " + sign + "; is it a text file in UTF-8?"));
      }
    }
    return Optional.empty();
  }

  /**
   * Returns whether YAML 1.2 allows the character. The replacement character of decoders is
   * excluded.
   */
  private static boolean isReadable(int codePoint) {
    boolean allowedControl = codePoint == '\t' || codePoint == '\r' || codePoint == 0x85;
    boolean control = Character.getType(codePoint) == Character.CONTROL;
    boolean halfPair = codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    boolean noCharacter = codePoint == 0xFFFE || codePoint == 0xFFFF;
    return (allowedControl || !control)
        && !halfPair
        && !noCharacter
        && codePoint != REPLACEMENT
        && codePoint != ByteOrderMark.CHARACTER;
  }

  /** Returns the character at an offset in code points; a space beyond the end. */
  int codePointAt(long offset) {
    return offset >= 0 && offset < codePoints.length ? codePoints[(int) offset] : ' ';
  }

  /** Returns a valid line number: a parser may report a line after the end of the text. */
  int clampLine(int line) {
    return Math.max(1, Math.min(line, lines));
  }
}
