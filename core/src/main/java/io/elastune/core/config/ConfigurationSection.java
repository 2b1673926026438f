package io.elastune.core.config;

import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.ListCodecs;
import io.elastune.core.config.codec.NumberCodecs;
import io.elastune.core.config.codec.ScalarCodecs;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.core.profile.ConfigurationEffect;
import io.elastune.core.profile.ConfigurationEffect.Term;
import java.util.List;

/** The section of a profile file with the effect of hyperparameters on the duration of trials. */
final class ConfigurationSection {
  private static final Field<Term, String> PARAMETER =
      Field.required(
          "parameter", StringCodecs.text(), Term::parameter, "The hyperparameter.", "width");
  private static final Field<Term, String> VALUE =
      Field.optional(
          "value",
          StringCodecs.text(),
          "a number",
          Term::value,
          "For a choice: the value for which the slope counts.",
          "adam");
  private static final Field<Term, Boolean> LOG =
      Field.withDefault(
          "log",
          ScalarCodecs.trueOrFalse(),
          false,
          Term::log,
          "Whether the logarithm of the number counts.",
          "true");
  private static final Field<Term, Double> LOW =
      Field.withDefault(
          "low",
          NumberCodecs.finite(),
          0.0,
          Term::low,
          "The smallest measured number, or its logarithm. It contributes 0, as smaller ones do.",
          "16");
  private static final Field<Term, Double> HIGH =
      Field.withDefault(
          "high",
          NumberCodecs.finite(),
          0.0,
          Term::high,
          "The largest measured number, or its logarithm. Larger ones contribute as much.",
          "256");
  private static final Field<Term, Double> SLOPE =
      Field.required(
          "slope",
          NumberCodecs.finite(),
          Term::slope,
          "Contribution to the logarithm of the seconds per unit.",
          "0.01");

  private static final Section<Term> TERM =
      Section.of(
          "term",
          "The contribution of one hyperparameter, or of one of its values.",
          List.of(PARAMETER, VALUE, LOG, LOW, HIGH, SLOPE),
          fieldValues ->
              new Term(
                  fieldValues.get(PARAMETER),
                  fieldValues.find(VALUE),
                  fieldValues.get(LOG),
                  fieldValues.get(LOW),
                  Math.max(fieldValues.get(LOW), fieldValues.get(HIGH)),
                  fieldValues.get(SLOPE)));

  private static final Field<ConfigurationEffect, List<Term>> TERMS =
      Field.required(
          "terms",
          ListCodecs.nonEmpty(TERM),
          ConfigurationEffect::terms,
          "The contributions, which are added.",
          "[{parameter: width, low: 16, high: 256, slope: 0.01}]");
  private static final Field<ConfigurationEffect, Double> SCALE =
      Field.withDefault(
          "scale",
          NumberCodecs.above0(),
          1.0,
          ConfigurationEffect::scale,
          "Makes the mean over the measured trials 1.",
          "0.8");
  private static final Field<ConfigurationEffect, Double> RESIDUAL =
      Field.required(
          "residual_cv",
          FileValueLimits.cv(),
          ConfigurationEffect::residualCv,
          "Coefficient of variation of trials that the terms do not explain.",
          "0.02");
  private static final Field<ConfigurationEffect, Double> EXPLAINED =
      Field.required(
          "explained",
          NumberCodecs.between(0, 1, ""),
          ConfigurationEffect::explained,
          "Fraction of the variance between trials that the terms explain, by cross-validation.",
          "0.8");
  private static final Field<ConfigurationEffect, Integer> TRIALS =
      Field.required(
          "trials",
          NumberCodecs.wholeNumber(1, Integer.MAX_VALUE),
          ConfigurationEffect::trials,
          "Number of measured trials.",
          "16");

  static final Section<ConfigurationEffect> SECTION =
      Section.of(
          "configurations",
          "How the duration of a trial depends on its hyperparameters: the logarithm of the seconds"
              + " per unit is the sum of the terms.",
          List.of(TERMS, SCALE, RESIDUAL, EXPLAINED, TRIALS),
          fieldValues ->
              new ConfigurationEffect(
                  fieldValues.get(TERMS),
                  fieldValues.get(SCALE),
                  fieldValues.get(RESIDUAL),
                  fieldValues.get(EXPLAINED),
                  fieldValues.get(TRIALS),
                  List.of()));

  private ConfigurationSection() {}
}
