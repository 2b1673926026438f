package io.elastune.executor.decision;

import java.util.function.BiPredicate;

/** A value that can be replaced, and that records whether a replacement was significant. */
final class TrackedValue<T> {
  private final BiPredicate<T, T> significant;
  private T value;
  private boolean dirty;

  /** {@code significant}: whether replacing the first value by the second is. */
  TrackedValue(T value, BiPredicate<T, T> significant) {
    this.value = value;
    this.significant = significant;
  }

  T get() {
    return value;
  }

  void set(T other) {
    dirty |= significant.test(value, other);
    value = other;
  }

  /** Whether there was a significant replacement. */
  boolean isDirty() {
    return dirty;
  }
}
