package io.elastune.core.plan;

import io.elastune.core.Preconditions;

/**
 * The rule of population based training at the barrier of a trial group: the worst trials are
 * replaced by copies of the best ones (docs/searches.md, "PBT").
 *
 * @param quantile share of the population that is replaced; at most 0.5
 * @param seed root of the random streams that choose the trials to copy
 */
public record PopulationRule(double quantile, long seed) {
  /** A product such as 0.07 * 100 may exceed the whole number by a rounding error. */
  private static final double ROUNDING = 1e-9;

  public PopulationRule {
    Preconditions.that(
        quantile > 0 && quantile <= 0.5, "quantile must be above 0 and at most 0.5: " + quantile);
  }

  /** Returns how many of {@code trials} are replaced at most, besides those that failed. */
  public int replaced(int trials) {
    return Math.min((int) Math.ceil(quantile * trials - ROUNDING), trials / 2);
  }
}
