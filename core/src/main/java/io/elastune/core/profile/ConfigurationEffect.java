package io.elastune.core.profile;

import io.elastune.core.Preconditions;
import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import io.elastune.core.field.Items;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How the duration of a trial depends on its hyperparameters: the logarithm of the seconds per unit
 * is the sum of one contribution per term (docs/profiling.md, "Trials that differ").
 *
 * @param terms empty if durations do not depend on the hyperparameters, as far as known
 * @param factors the factor of each trial of a job, in order of trial number and with mean 1; empty
 *     until the trials are known
 */
@FileSection(
    title = "configurations",
    doc =
        "How the duration of a trial depends on its hyperparameters: the logarithm of the seconds"
            + " per unit is the sum of the terms.")
public record ConfigurationEffect(
    @FileField(
            doc = "The contributions, which are added.",
            example = "[{parameter: width, low: 16, high: 256, slope: 0.01}]")
        @Items
        List<Term> terms,
    @FileField(doc = "Makes the mean over the measured trials 1.", absent = "1", example = "0.8")
        @Bounds(above0 = true)
        double scale,
    @FileField(
            doc = "Coefficient of variation of trials that the terms do not explain.",
            example = "0.02")
        @Bounds(least = 0, most = Bounds.MOST_CV)
        double residualCv,
    @FileField(
            doc =
                "Fraction of the variance between trials that the terms explain, by"
                    + " cross-validation.",
            example = "0.8")
        @Bounds(least = 0, most = 1)
        double explained,
    @FileField(doc = "Number of measured trials.", example = "16") @Bounds(least = 1) int trials,
    List<Double> factors) {
  /** Durations do not depend on the hyperparameters, as far as known. */
  public static final ConfigurationEffect NONE =
      new ConfigurationEffect(List.of(), 1, 0, 0, 0, List.of());

  /** The contribution of one hyperparameter, or of one of its values. */
  @FileSection(
      title = "term",
      doc = "The contribution of one hyperparameter, or of one of its values.")
  public record Term(
      @FileField(doc = "The hyperparameter.", example = "width") String parameter,
      @FileField(
              doc = "For a choice: the value for which the slope counts.",
              without = "a number",
              example = "adam")
          Optional<String> value,
      @FileField(
              doc = "Whether the logarithm of the number counts.",
              absent = "false",
              example = "true")
          boolean log,
      @FileField(
              doc =
                  "The smallest measured number, or its logarithm. It contributes 0, as smaller"
                      + " ones do.",
              absent = "0",
              example = "16")
          double low,
      @FileField(
              doc =
                  "The largest measured number, or its logarithm. Larger ones contribute as much.",
              absent = "0",
              example = "256")
          double high,
      @FileField(doc = "Contribution to the logarithm of the seconds per unit.", example = "0.01")
          double slope) {
    public Term {
      Preconditions.text("parameter", parameter);
      Preconditions.that(Double.isFinite(slope), "slope must be a finite number");
      high = Math.max(low, high);
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
