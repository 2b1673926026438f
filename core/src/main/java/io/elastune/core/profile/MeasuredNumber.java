package io.elastune.core.profile;

import io.elastune.core.Preconditions;

/**
 * One measured number with its accuracy.
 *
 * @param name the field of the profile that it belongs to, e.g. {@code training.1}; further names
 *     are in docs/profiling.md
 * @param value the number, in the unit of that field
 * @param standardError its standard error, in the same unit
 * @param low lower end of the interval that contains the true number with a confidence of 95 %
 * @param high upper end of that interval
 * @param count how many independent observations it is based on
 */
public record MeasuredNumber(
    String name, double value, double standardError, double low, double high, int count) {
  public MeasuredNumber {
    Preconditions.text("name", name);
    Preconditions.notNegative("value", value);
    Preconditions.notNegative("standard_error", standardError);
    Preconditions.notNegative("low", low);
    Preconditions.that(high >= low && Double.isFinite(high), "high must be at least low");
    Preconditions.atLeast("count", 1, count);
  }
}
