package io.elastune.core.config.yaml;

import java.util.List;
import java.util.stream.Collectors;

/** Formats values on one line, as JSON that is also valid YAML. */
public final class JsonText {
  private JsonText() {}

  /**
   * Returns a string, number, boolean or list as in a file; strings are quoted.
   *
   * @throws IllegalArgumentException if a number is not finite
   */
  public static String of(Object value) {
    if (value instanceof List<?> list) {
      return list.stream().map(JsonText::of).collect(Collectors.joining(", ", "[", "]"));
    }
    if (value instanceof String text) {
      return quoted(text);
    }
    if (value instanceof Double number && !Double.isFinite(number)) {
      throw new IllegalArgumentException("cannot write the number " + number);
    }
    return value.toString();
  }

  /** Returns a quoted string that is valid JSON and YAML. */
  static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\t' -> out.append("\\t");
        case '\r' -> out.append("\\r");
        default -> {
          boolean ascii = c >= ' ' && c < 0x7F;
          boolean plain = ascii || Character.isLetterOrDigit(c) || isPair(text, i);
          out.append(plain ? String.valueOf(c) : String.format("\\u%04x", (int) c));
        }
      }
    }
    return out.append('"').toString();
  }

  /** Returns whether the character belongs to a complete surrogate pair. */
  private static boolean isPair(String text, int at) {
    char c = text.charAt(at);
    if (Character.isHighSurrogate(c)) {
      return at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1));
    }
    return Character.isLowSurrogate(c) && at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
  }
}
