package io.elastune.cli.inspect;

import io.elastune.cli.text.SignificantDigits;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Map;
import java.util.stream.Collectors;

/** Formats metrics, hyperparameters and other numbers for text output. */
public final class ValueFormat {
  private static final int SHORT_DIGITS = 3;
  private static final double SHORT_WHOLE_FROM = 100;

  private ValueFormat() {}

  /** Returns at most six significant digits, without trailing zeros. */
  public static String text(double number) {
    return SignificantDigits.text(number);
  }

  /** Returns three significant digits, and all digits before the point, where space is short. */
  public static String shortText(double number) {
    return Double.isFinite(number) && Math.abs(number) >= SHORT_WHOLE_FROM
        ? text(Math.rint(number))
        : Double.isFinite(number)
            ? text(BigDecimal.valueOf(number).round(new MathContext(SHORT_DIGITS)).doubleValue())
            : text(number);
  }

  /** Returns the hyperparameters of a trial, e.g. {@code lr=0.1, layers=2}. */
  static String configuration(Map<String, Object> config) {
    return config.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + value(entry.getValue()))
        .collect(Collectors.joining(", "));
  }

  /** Returns the text of a hyperparameter. */
  public static String value(Object value) {
    return value instanceof Double number ? text(number) : String.valueOf(value);
  }
}
