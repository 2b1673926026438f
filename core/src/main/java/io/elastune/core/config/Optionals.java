package io.elastune.core.config;

import java.util.Optional;
import java.util.OptionalDouble;

/** Converts between {@code Optional<Double>} and {@link OptionalDouble}. */
final class Optionals {
  private Optionals() {}

  static Optional<Double> boxed(OptionalDouble value) {
    return value.isPresent() ? Optional.of(value.getAsDouble()) : Optional.empty();
  }

  static OptionalDouble unboxed(Optional<Double> value) {
    return value.isPresent() ? OptionalDouble.of(value.get()) : OptionalDouble.empty();
  }
}
