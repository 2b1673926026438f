package io.elastune.core.config.yaml;

import java.util.List;
import java.util.Map;

/** Writes maps, lists, strings, numbers and booleans as JSON, indented by two spaces per level. */
public final class JsonWriter {
  private JsonWriter() {}

  /** Returns the JSON text, which ends with a newline. */
  public static String write(Object value) {
    StringBuilder out = new StringBuilder();
    write(out, value, "\n");
    return out.append('\n').toString();
  }

  private static void write(StringBuilder out, Object value, String lineStart) {
    if (value instanceof Map<?, ?> map && !map.isEmpty()) {
      String inner = lineStart + "  ";
      String separator = "{";
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        out.append(separator).append(inner).append(quoted(entry.getKey().toString())).append(": ");
        write(out, entry.getValue(), inner);
        separator = ",";
      }
      out.append(lineStart).append('}');
    } else if (value instanceof List<?> list && !list.isEmpty()) {
      boolean flat = list.stream().noneMatch(item -> item instanceof Map || item instanceof List);
      String inner = flat ? " " : lineStart + "  ";
      String separator = flat ? "[" : "[" + inner;
      for (Object item : list) {
        out.append(separator);
        write(out, item, inner);
        separator = "," + inner;
      }
      out.append(flat ? "" : lineStart).append(']');
    } else {
      out.append(scalar(value));
    }
  }

  /** Returns a scalar or an empty map or list as JSON; strings are quoted. */
  static String scalar(Object value) {
    if (value instanceof String text) {
      return quoted(text);
    }
    if (value instanceof Map) {
      return "{}";
    }
    if (value instanceof Double number && !Double.isFinite(number)) {
      throw new IllegalArgumentException("cannot write the number " + number);
    }
    return value instanceof List ? "[]" : value.toString();
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
