package io.elastune.core.job;

import io.elastune.core.Preconditions;
import java.util.List;

/**
 * The options of population based training (docs/searches.md, "PBT").
 *
 * @param quantile share of the population that is replaced at each comparison; at most 0.5
 * @param resample probability that a hyperparameter of a new trial is drawn again
 * @param factors numbers by which hyperparameters of new trials are multiplied otherwise
 * @param freeze hyperparameters that new trials take over unchanged
 */
public record PbtOptions(
    double quantile, double resample, List<Double> factors, List<String> freeze) {
  /** The options of a job file without any. */
  public static final PbtOptions DEFAULT = new PbtOptions(0.25, 0.25, List.of(0.8, 1.2), List.of());

  public PbtOptions {
    Preconditions.that(
        quantile > 0 && quantile <= 0.5, "quantile must be above 0 and at most 0.5: " + quantile);
    Preconditions.that(resample >= 0 && resample <= 1, "resample must be 0 to 1: " + resample);
    factors = List.copyOf(factors);
    freeze = List.copyOf(freeze);
    Preconditions.that(!factors.isEmpty(), "factors must not be empty");
    factors.forEach(factor -> Preconditions.positive("factor", factor));
  }
}
