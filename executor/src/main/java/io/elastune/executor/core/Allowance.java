package io.elastune.executor.core;

import java.util.OptionalDouble;

/**
 * The requests for a higher budget, and what the user has granted.
 *
 * @param asked number of requests so far, which is also the number of the last one
 * @param open whether the last request is unanswered
 * @param askedUsd USD requested in it; 0 before the first
 * @param allowedUsd budget in USD granted since, in place of the definition's; empty if none was
 *     granted
 */
public record Allowance(int asked, boolean open, double askedUsd, OptionalDouble allowedUsd) {
  static final Allowance NONE = new Allowance(0, false, 0, OptionalDouble.empty());

  Allowance asking(double usd) {
    return new Allowance(asked + 1, true, usd, allowedUsd);
  }

  Allowance answered(boolean allowed) {
    return new Allowance(
        asked, false, askedUsd, allowed ? OptionalDouble.of(askedUsd) : allowedUsd);
  }

  /** Another controller continues; its definition includes what was granted. */
  Allowance resumed() {
    return new Allowance(asked, false, open ? 0 : askedUsd, OptionalDouble.empty());
  }
}
