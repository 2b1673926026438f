package io.elastune.core.config.codec;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Formats values on one line, as in a file, for the documentation. */
final class InlineText {
  private InlineText() {}

  static String of(Object value) {
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .map(entry -> entry.getKey() + ": " + of(entry.getValue()))
          .collect(Collectors.joining(", ", "{", "}"));
    }
    if (value instanceof List<?> list) {
      return list.stream().map(InlineText::of).collect(Collectors.joining(", ", "[", "]"));
    }
    return value.toString();
  }
}
