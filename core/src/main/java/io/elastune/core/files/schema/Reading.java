package io.elastune.core.files.schema;

import java.util.Optional;

/**
 * The result of reading a single value.
 *
 * @param message the problem if there is no value
 */
public record Reading<T>(Optional<T> value, String message, String hint) {
  public static <T> Reading<T> right(T value) {
    return new Reading<>(Optional.of(value), "", "");
  }

  public static <T> Reading<T> wrong(String message, String hint) {
    return new Reading<>(Optional.empty(), message, hint);
  }

  public static <T> Reading<T> wrong(String message) {
    return wrong(message, "");
  }
}
