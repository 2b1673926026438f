package io.elastune.executor.core;

import java.util.OptionalDouble;

/**
 * What the user has been asked to spend beyond the budget, and has said to it.
 *
 * @param asked questions so far; the last one's number
 * @param open whether that one has not been answered yet
 * @param askedUsd dollars that were asked for in it; 0 before the first
 * @param allowedUsd dollars that the run may spend since, instead of its definition's; empty if
 *     nobody has allowed any
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

  /** Another controller goes on, by a definition that holds what was allowed. */
  Allowance resumed() {
    return new Allowance(asked, false, open ? 0 : askedUsd, OptionalDouble.empty());
  }
}
