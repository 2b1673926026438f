package io.elastune.core.config;

import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.NumberCodecs;
import io.elastune.core.config.codec.RecordSection;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.core.faults.FaultRate;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.faults.TrialFaultRates;
import java.util.List;

/** The sections for the rates at which instances and trials fail. */
final class FaultRateSections {
  private static final double MOST_PROBABILITY = 0.95;
  private static final double MOST_PER_HOUR = 3600;
  private static final double MOST_EVIDENCE = 1e12;

  private static final Section<FaultRate> PROBABILITY =
      rate(
          "faults.probability",
          "A probability with its source, such as `boot_failure` and `torn_checkpoint`.",
          MOST_PROBABILITY,
          "The probability.",
          "0.02");
  private static final Section<FaultRate> PER_HOUR =
      rate(
          "faults.rate",
          "A rate per hour with its source, such as `failures` and `crashes`.",
          MOST_PER_HOUR,
          "Faults per hour.",
          "0.0003");

  static final Section<InstanceFaultRates> OF_OFFER =
      RecordSection.define(InstanceFaultRates.class)
          .defaults(InstanceFaultRates.NONE)
          .codec("refusal", PROBABILITY)
          .codec("bootFailure", PROBABILITY)
          .codec("slowBoot", PROBABILITY)
          .codec("failures", PER_HOUR)
          .codec("preemptions", PER_HOUR)
          .section();

  static final Section<TrialFaultRates> OF_PROFILE =
      RecordSection.define(TrialFaultRates.class)
          .defaults(TrialFaultRates.NONE)
          .codec("crashes", PER_HOUR)
          .codec("hangs", PER_HOUR)
          .codec("tornCheckpoint", PROBABILITY)
          .section();

  private FaultRateSections() {}

  /** A rate is read from two sections, which differ in the meaning and limit of its value. */
  private static Section<FaultRate> rate(
      String title, String doc, double most, String valueDoc, String example) {
    Field<FaultRate, Double> value =
        Field.required(
            "value", NumberCodecs.between(0, most, ""), FaultRate::value, valueDoc, example);
    Field<FaultRate, String> source =
        Field.withDefault(
            "source",
            StringCodecs.text(),
            FaultRate.ASSUMED,
            FaultRate::source,
            "Who measured it, and when.",
            "run history");
    Field<FaultRate, Double> evidence =
        Field.withDefault(
            "evidence",
            NumberCodecs.between(0, MOST_EVIDENCE, ""),
            0.0,
            FaultRate::evidence,
            "Number of observed cases or hours.",
            "400");
    return Section.of(
        title,
        doc,
        List.of(value, source, evidence),
        fieldValues ->
            new FaultRate(
                fieldValues.get(value), fieldValues.get(source), fieldValues.get(evidence)));
  }
}
