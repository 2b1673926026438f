package io.elastune.core.config.yaml;

import java.io.Reader;

/**
 * Reads a string without splitting a surrogate pair between two reads. SnakeYAML Engine fails with
 * an {@link IndexOutOfBoundsException} on a read that fills its buffer and ends within a pair.
 */
final class SurrogatePairReader extends Reader {
  private final String text;
  private int position;

  SurrogatePairReader(String text) {
    this.text = text;
  }

  @Override
  public int read(char[] buffer, int offset, int length) {
    if (position == text.length()) {
      return -1;
    }
    int end = Math.min(text.length(), position + length);
    boolean split = end < text.length() && Character.isHighSurrogate(text.charAt(end - 1));
    if (split && end - position > 1) {
      end--;
    }
    int count = end - position;
    text.getChars(position, end, buffer, offset);
    position = end;
    return count;
  }

  @Override
  public void close() {
    // There is nothing to close.
  }
}
