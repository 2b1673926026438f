package io.elastune.core.config;

import java.util.Optional;

/**
 * A field in which a job file differs from an earlier one.
 *
 * @param field its path, such as {@code search.trials}
 * @param before its earlier value, as in a file; empty if it was absent
 * @param after its present value; empty if it is absent
 */
public record FieldChange(String field, Optional<String> before, Optional<String> after) {
  /** Returns the change as text: {@code search.trials: 40 instead of 30}. */
  public String text() {
    return field
        + ": "
        + after
            .map(now -> before.map(old -> now + " instead of " + old).orElse(now + " is new"))
            .orElse("removed");
  }
}
