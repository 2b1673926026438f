package io.elastune.core.profile;

import io.elastune.core.Preconditions;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How the duration of a trial depends on its hyperparameters: the logarithm of the seconds per unit
 * is the sum of one contribution per term (docs/profiling.md, "Trials that differ").
 *
 * @param terms the contributions; empty if durations do not depend on the hyperparameters, as far
 *     as known
 * @param scale the factor that makes the mean over the measured trials 1
 * @param residualCv coefficient of variation of trials that the terms do not explain
 * @param explained the fraction of the variance between trials that the terms explain, by
 *     cross-validation
 * @param trials the number of measured trials
 * @param factors the factor of each trial of a job, in order of trial number and with mean 1; empty
 *     until the trials are known
 */
public record ConfigurationEffect(
    List<Term> terms,
    double scale,
    double residualCv,
    double explained,
    int trials,
    List<Double> factors) {
  /** Durations do not depend on the hyperparameters, as far as known. */
  public static final ConfigurationEffect NONE =
      new ConfigurationEffect(List.of(), 1, 0, 0, 0, List.of());

  /**
   * The contribution of one hyperparameter, or of one of its values.
   *
   * @param parameter its name
   * @param value for a choice: the value for which the slope counts
   * @param log whether the logarithm of a number counts
   * @param low the smallest measured number, or its logarithm; smaller ones count as this
   * @param high the largest measured number, or its logarithm; larger ones count as this
   * @param slope the contribution per unit
   */
  public record Term(
      String parameter,
      Optional<String> value,
      boolean log,
      double low,
      double high,
      double slope) {
    public Term {
      Preconditions.text("parameter", parameter);
      Preconditions.that(Double.isFinite(slope), "slope must be a finite number");
      Preconditions.that(high >= low, "high must be at least low");
    }

    /** Returns the contribution of a configuration; 0 without the hyperparameter. */
    public double of(Map<String, Object> configuration) {
      Object given = configuration.get(parameter);
      if (given == null) {
        return 0;
      }
      if (value.isPresent()) {
        return value.get().equals(given.toString()) ? slope : 0;
      }
      if (!(given instanceof Number number) || (log && number.doubleValue() <= 0)) {
        return 0;
      }
      double x = log ? Math.log(number.doubleValue()) : number.doubleValue();
      return slope * (Math.min(high, Math.max(low, x)) - low);
    }
  }

  public ConfigurationEffect {
    terms = List.copyOf(terms);
    factors = List.copyOf(factors);
    Preconditions.positive("scale", scale);
    Preconditions.notNegative("residual_cv", residualCv);
    Preconditions.notNegative("trials", trials);
    factors.forEach(factor -> Preconditions.positive("factors", factor));
  }

  /** Returns whether durations depend on the hyperparameters. */
  public boolean isKnown() {
    return !terms.isEmpty();
  }

  /** Returns the expected seconds per unit of a configuration, relative to the measured mean. */
  public double factor(Map<String, Object> configuration) {
    return scale * Math.exp(terms.stream().mapToDouble(term -> term.of(configuration)).sum());
  }

  /** Returns this effect with the factors of a job's trials. */
  ConfigurationEffect withFactors(List<Double> ofTrials) {
    return new ConfigurationEffect(terms, scale, residualCv, explained, trials, ofTrials);
  }
}
