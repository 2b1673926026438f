package io.elastune.core;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The value {@code null} of a hyperparameter, so that no map or list in the model contains null.
 */
public enum NullValue {
  NULL;

  /** Returns the value with null in place of {@link #NULL}, also inside lists, for JSON output. */
  public static @Nullable Object toJava(Object value) {
    if (value instanceof List<?> list) {
      return list.stream().map(NullValue::toJava).collect(Collectors.toList());
    }
    return value == NULL ? null : value;
  }

  /**
   * Returns a value as read from JSON with the types of the model: {@link #NULL} in place of null
   * and {@link Long} in place of {@link Integer}, also inside lists.
   */
  public static Object ofJava(@Nullable Object value) {
    if (value instanceof List<?> list) {
      return list.stream().map(NullValue::ofJava).toList();
    }
    if (value instanceof Integer number) {
      return number.longValue();
    }
    return value == null ? NULL : value;
  }

  /** Returns the value as in YAML and JSON. */
  @Override
  public String toString() {
    return "null";
  }
}
