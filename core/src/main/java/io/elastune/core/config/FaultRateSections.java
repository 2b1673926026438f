package io.elastune.core.config;

import io.elastune.core.config.codec.Codec;
import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.FieldValues;
import io.elastune.core.config.codec.NumberCodecs;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.core.faults.FaultRate;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.faults.TrialFaultRates;
import java.util.List;
import java.util.function.Function;

/** The sections for the rates at which instances and trials fail. */
final class FaultRateSections {
  private static final double MOST_PROBABILITY = 0.95;
  private static final double MOST_PER_HOUR = 3600;
  private static final double MOST_FACTOR = 1000;
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

  private static final Field<InstanceFaultRates, FaultRate> REFUSAL =
      probability(
          "refusal", InstanceFaultRates::refusal, "A request is refused for lack of capacity.");
  private static final Field<InstanceFaultRates, Double> REFUSAL_S =
      Field.withDefault(
          "refusal_s",
          FileValueLimits.seconds(),
          0.0,
          InstanceFaultRates::refusalS,
          "Mean seconds until refused capacity is available.",
          "600");
  private static final Field<InstanceFaultRates, FaultRate> BOOT_FAILURE =
      probability(
          "boot_failure",
          InstanceFaultRates::bootFailure,
          "An instance fails at the end of its boot, and is replaced.");
  private static final Field<InstanceFaultRates, FaultRate> SLOW_BOOT =
      probability(
          "slow_boot", InstanceFaultRates::slowBoot, "An instance boots several times slower.");
  private static final Field<InstanceFaultRates, Double> SLOW_BOOT_FACTOR =
      Field.withDefault(
          "slow_boot_factor",
          NumberCodecs.between(1, MOST_FACTOR, ""),
          1.0,
          InstanceFaultRates::slowBootFactor,
          "How many times slower it then boots.",
          "5");
  private static final Field<InstanceFaultRates, FaultRate> FAILURES =
      perHour(
          "failures",
          InstanceFaultRates::failures,
          "Failures per instance and hour, from running to release.");
  private static final Field<InstanceFaultRates, FaultRate> PREEMPTIONS =
      perHour("preemptions", InstanceFaultRates::preemptions, "Preemptions per instance and hour.");
  private static final Field<InstanceFaultRates, Double> NOTICE_S =
      Field.withDefault(
          "notice_s",
          FileValueLimits.seconds(),
          0.0,
          InstanceFaultRates::noticeS,
          "Seconds from the preemption notice to the preemption.",
          "120");
  private static final Field<InstanceFaultRates, Double> TOGETHER =
      Field.withDefault(
          "preempted_together",
          NumberCodecs.between(0, 1, ""),
          0.0,
          InstanceFaultRates::preemptedTogether,
          "Probability that a preemption of one instance includes another one.",
          "0.6");

  static final Section<InstanceFaultRates> OF_OFFER =
      Section.of(
          "offers.faults",
          "The rates at which the offer's instances fail. Predictions include them.",
          List.of(
              REFUSAL,
              REFUSAL_S,
              BOOT_FAILURE,
              SLOW_BOOT,
              SLOW_BOOT_FACTOR,
              FAILURES,
              PREEMPTIONS,
              NOTICE_S,
              TOGETHER),
          FaultRateSections::instances);

  private static final Field<TrialFaultRates, FaultRate> CRASHES =
      perHour("crashes", TrialFaultRates::crashes, "Crashes per attempt and hour.");
  private static final Field<TrialFaultRates, FaultRate> HANGS =
      perHour("hangs", TrialFaultRates::hangs, "Hangs per attempt and hour.");
  private static final Field<TrialFaultRates, FaultRate> TORN =
      probability(
          "torn_checkpoint",
          TrialFaultRates::tornCheckpoint,
          "The last checkpoint of a trial in a group is incomplete.");

  static final Section<TrialFaultRates> OF_PROFILE =
      Section.of(
          "faults",
          "The rates at which the program's trials fail. Predictions include them.",
          List.of(CRASHES, HANGS, TORN),
          fieldValues ->
              new TrialFaultRates(
                  fieldValues.get(CRASHES), fieldValues.get(HANGS), fieldValues.get(TORN)));

  private FaultRateSections() {}

  private static <R> Field<R, FaultRate> probability(
      String name, Function<R, FaultRate> getter, String doc) {
    return of(name, PROBABILITY, getter, doc, "{value: 0.02, source: run history, evidence: 400}");
  }

  private static <R> Field<R, FaultRate> perHour(
      String name, Function<R, FaultRate> getter, String doc) {
    return of(name, PER_HOUR, getter, doc, "{value: 0.0003, source: run history, evidence: 9000}");
  }

  private static <R> Field<R, FaultRate> of(
      String name,
      Codec<FaultRate> codec,
      Function<R, FaultRate> getter,
      String doc,
      String example) {
    return Field.withDefault(name, codec, FaultRate.NONE, getter, doc, example);
  }

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

  private static InstanceFaultRates instances(FieldValues fieldValues) {
    return new InstanceFaultRates(
        fieldValues.get(REFUSAL),
        fieldValues.get(REFUSAL_S),
        fieldValues.get(BOOT_FAILURE),
        fieldValues.get(SLOW_BOOT),
        fieldValues.get(SLOW_BOOT_FACTOR),
        fieldValues.get(FAILURES),
        fieldValues.get(PREEMPTIONS),
        fieldValues.get(NOTICE_S),
        fieldValues.get(TOGETHER));
  }
}
