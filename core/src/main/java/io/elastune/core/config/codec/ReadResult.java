package io.elastune.core.config.codec;

import java.util.Optional;

/**
 * The result of reading a single value.
 *
 * @param message the problem if there is no value
 */
public record ReadResult<T>(Optional<T> value, String message, String hint) {
  public static <T> ReadResult<T> valid(T value) {
    return new ReadResult<>(Optional.of(value), "", "");
  }

  public static <T> ReadResult<T> invalid(String message, String hint) {
    return new ReadResult<>(Optional.empty(), message, hint);
  }

  public static <T> ReadResult<T> invalid(String message) {
    return invalid(message, "");
  }
}
