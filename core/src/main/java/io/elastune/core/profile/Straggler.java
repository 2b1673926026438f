package io.elastune.core.profile;

import io.elastune.core.Check;

/**
 * Trials, or instances, that now and then are much slower than the rest.
 *
 * @param probability of a trial in a group, or of an instance for as long as it is held, to be one
 * @param slowdown how many times longer a trial, or every trial on it, then takes; at least 1
 */
public record Straggler(double probability, double slowdown) {
  /** There are none. */
  public static final Straggler NONE = new Straggler(0, 1);

  public Straggler {
    Check.fraction("probability", probability);
    Check.that(
        slowdown >= 1 && Double.isFinite(slowdown),
        "slowdown must be a number of at least 1, not " + slowdown);
  }
}
