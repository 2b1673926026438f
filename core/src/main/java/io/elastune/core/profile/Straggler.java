package io.elastune.core.profile;

import io.elastune.core.Preconditions;

/**
 * The probability and slowdown of rare trials or instances that are much slower than the others.
 *
 * @param probability probability that a trial in a group, or an instance for the whole lease, is a
 *     straggler
 * @param slowdown factor by which the trial, or every trial on the instance, takes longer; at least
 *     1
 */
public record Straggler(double probability, double slowdown) {
  /** No stragglers. */
  public static final Straggler NONE = new Straggler(0, 1);

  public Straggler {
    Preconditions.fraction("probability", probability);
    Preconditions.that(
        slowdown >= 1 && Double.isFinite(slowdown),
        "slowdown must be a number of at least 1, not " + slowdown);
  }

  /** Returns the mean of the factor that is {@code slowdown} for stragglers and 1 for others. */
  public double meanFactor() {
    return 1 - probability + probability * slowdown;
  }
}
