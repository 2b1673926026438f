package io.elastune.core.config;

import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.ListCodecs;
import io.elastune.core.config.codec.NumberCodecs;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.core.job.PbtOptions;
import java.util.List;

/** The section {@code search.pbt} of a job file. */
final class PbtSection {
  private static final Field<PbtOptions, Double> QUANTILE =
      Field.withDefault(
          "quantile",
          NumberCodecs.above0(0.5, ""),
          PbtOptions.DEFAULT.quantile(),
          PbtOptions::quantile,
          "Share of the trials that are replaced by copies of the best ones at each comparison.",
          "0.2");
  private static final Field<PbtOptions, Double> RESAMPLE =
      Field.withDefault(
          "resample",
          NumberCodecs.between(0, 1, ""),
          PbtOptions.DEFAULT.resample(),
          PbtOptions::resample,
          "Probability that a hyperparameter of a copy is drawn again.",
          "0.1");
  private static final Field<PbtOptions, List<Double>> FACTORS =
      Field.withDefault(
          "factors",
          ListCodecs.nonEmpty(NumberCodecs.above0()),
          PbtOptions.DEFAULT.factors(),
          PbtOptions::factors,
          "Otherwise a number is multiplied by one of these; a choice moves to a neighbor.",
          "[0.5, 2]");
  private static final Field<PbtOptions, List<String>> FREEZE =
      Field.withDefault(
          "freeze",
          ListCodecs.of(StringCodecs.text()),
          PbtOptions.DEFAULT.freeze(),
          PbtOptions::freeze,
          "Hyperparameters that copies take over unchanged.",
          "[batch]");

  static final Section<PbtOptions> SECTION =
      Section.of(
          "search.pbt",
          "Options of population based training.",
          List.of(QUANTILE, RESAMPLE, FACTORS, FREEZE),
          fieldValues ->
              new PbtOptions(
                  fieldValues.get(QUANTILE),
                  fieldValues.get(RESAMPLE),
                  fieldValues.get(FACTORS),
                  fieldValues.get(FREEZE)));

  private PbtSection() {}
}
