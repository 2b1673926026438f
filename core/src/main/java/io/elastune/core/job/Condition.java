package io.elastune.core.job;

import io.elastune.core.field.FileField;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The condition under which a hyperparameter is part of a configuration: each named hyperparameter
 * has one of the listed values.
 */
@FileField(
    doc = "Used only if these hyperparameters, listed before, have the values.",
    without = "always used",
    example = "{optimizer: [sgd, rmsprop]}")
public record Condition(Map<String, List<Object>> allowed) {
  /** The condition that is always met. */
  public static final Condition ALWAYS = new Condition(Map.of());

  public Condition {
    Map<String, List<Object>> copy = new LinkedHashMap<>();
    allowed.forEach((name, values) -> copy.put(name, List.copyOf(values)));
    allowed = Collections.unmodifiableMap(copy);
  }

  /** Returns whether {@code configuration} meets this condition. */
  public boolean isMetBy(Map<String, Object> configuration) {
    return allowed.entrySet().stream()
        .allMatch(
            entry -> {
              Object actual = configuration.get(entry.getKey());
              return actual != null
                  && entry.getValue().stream().anyMatch(value -> isSame(value, actual));
            });
  }

  /**
   * Returns whether two values are equal; numbers are compared by value, so 1 equals 1.0, also
   * inside lists.
   */
  static boolean isSame(Object a, Object b) {
    if (a instanceof List<?> left && b instanceof List<?> right) {
      return left.size() == right.size()
          && IntStream.range(0, left.size()).allMatch(i -> isSame(left.get(i), right.get(i)));
    }
    if (a instanceof Number left && b instanceof Number right && !a.equals(b)) {
      boolean whole = a instanceof Long && b instanceof Long;
      return !whole && Double.compare(left.doubleValue(), right.doubleValue()) == 0;
    }
    return a.equals(b);
  }
}
