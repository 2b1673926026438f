package io.elastune.core.job;

import io.elastune.core.NullValue;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Writes values of hyperparameters as arguments of a command. Numbers are written as Python writes
 * them, which also other languages read; lists are JSON.
 */
final class ValueText {
  private ValueText() {}

  static boolean isNull(Object value) {
    return value instanceof NullValue;
  }

  static String of(Object value) {
    return value instanceof String text ? text : json(value);
  }

  private static String json(Object value) {
    if (isNull(value)) {
      return "null";
    }
    if (value instanceof List<?> list) {
      return list.stream().map(ValueText::json).collect(Collectors.joining(",", "[", "]"));
    }
    if (value instanceof Double || value instanceof Float) {
      return number(((Number) value).doubleValue());
    }
    return value instanceof String text ? quoted(text) : String.valueOf(value);
  }

  private static String number(double value) {
    if (!Double.isFinite(value) || value == 0) {
      return value == 0 ? "0.0" : String.valueOf(value).toLowerCase(Locale.ROOT);
    }
    BigDecimal decimal = new BigDecimal(Double.toString(value)).stripTrailingZeros();
    int exponent = decimal.precision() - decimal.scale() - 1;
    if (exponent >= -4 && exponent < 16) {
      String plain = decimal.toPlainString();
      return plain.contains(".") ? plain : plain + ".0";
    }
    String digits = decimal.unscaledValue().abs().toString();
    String mantissa = digits.charAt(0) + (digits.length() > 1 ? "." + digits.substring(1) : "");
    return "%s%se%s%02d"
        .formatted(value < 0 ? "-" : "", mantissa, exponent < 0 ? "-" : "+", Math.abs(exponent));
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ') {
        quoted.append("\\u%04x".formatted((int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
