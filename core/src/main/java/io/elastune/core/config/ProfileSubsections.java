package io.elastune.core.config;

import io.elastune.core.Spread;
import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.ListCodecs;
import io.elastune.core.config.codec.NumberCodecs;
import io.elastune.core.config.codec.QuantityCodecs;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.core.profile.MeasuredNumber;
import io.elastune.core.profile.MeasurementOrigin;
import io.elastune.core.profile.ProvisioningTimes;
import io.elastune.core.profile.Straggler;
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The nested sections of a profile file. */
final class ProfileSubsections {
  private static final double LEAST_SECONDS = 1e-6;
  private static final double MOST_SLOWDOWN = 1000;

  static final Section<MeasurementOrigin> MEASURED = measured();
  static final Section<Straggler> STRAGGLER =
      straggler(
          "straggler",
          "Rare trials that are much slower than the others.",
          "Probability that a trial in a group is a straggler.");
  static final Section<Straggler> INSTANCE_STRAGGLER =
      straggler(
          "instance_straggler",
          "Rare instances on which every trial is much slower.",
          "Probability that an instance is a straggler for the whole lease.");
  static final Section<ProvisioningTimes> PROVISIONING = provisioning();

  private ProfileSubsections() {}

  /** A row of a table: a count and its seconds per unit. */
  record CountRow(int count, double seconds) {
    static NavigableMap<Integer, Double> table(List<CountRow> countRows) {
      NavigableMap<Integer, Double> table = new TreeMap<>();
      countRows.forEach(countRow -> table.put(countRow.count(), countRow.seconds()));
      return table;
    }

    static List<CountRow> rows(NavigableMap<Integer, Double> table) {
      return table.entrySet().stream()
          .map(entry -> new CountRow(entry.getKey(), entry.getValue()))
          .toList();
    }
  }

  static Section<CountRow> row(
      String title, String countName, int least, int most, String countDoc) {
    Field<CountRow, Integer> count =
        Field.required(
            countName,
            NumberCodecs.wholeNumber(least, most),
            CountRow::count,
            countDoc,
            Integer.toString(least));
    Field<CountRow, Double> seconds =
        Field.required(
            "seconds",
            FileValueLimits.seconds(LEAST_SECONDS),
            CountRow::seconds,
            "Seconds per unit of one trial.",
            "30.0");
    return Section.of(
        title,
        "The measurements, one entry per count.",
        List.of(count, seconds),
        fieldValues -> new CountRow(fieldValues.get(count), fieldValues.get(seconds)));
  }

  private static Section<MeasurementOrigin> measured() {
    Field<MeasurementOrigin, Instant> at =
        Field.required(
            "at",
            QuantityCodecs.dateTime(),
            MeasurementOrigin::at,
            "Time of the measurement.",
            "2026-11-20T06:00:00Z");
    Field<MeasurementOrigin, String> source =
        Field.required(
            "source",
            StringCodecs.text(),
            MeasurementOrigin::source,
            "What measured it.",
            "run r-17");
    Field<MeasurementOrigin, Integer> samples =
        Field.withDefault(
            "samples",
            NumberCodecs.wholeNumber(0, Integer.MAX_VALUE),
            0,
            MeasurementOrigin::samples,
            "Number of measured units.",
            "40");
    Field<MeasurementOrigin, String> code =
        Field.optional(
            "code",
            StringCodecs.text(),
            "unknown",
            MeasurementOrigin::code,
            "Hash of the code that was measured. If the code changes, the plan says so.",
            "9f86d081884c7d65…");
    Field<MeasurementOrigin, List<MeasuredNumber>> numbers =
        Field.withDefault(
            "numbers",
            ListCodecs.of(MeasuredNumberSection.SECTION),
            List.of(),
            MeasurementOrigin::numbers,
            "Their accuracy; docs/profiling.md lists their names.",
            "[]");
    return Section.of(
        "measured",
        "Origin of the numbers.",
        List.of(at, source, samples, code, numbers),
        fieldValues ->
            new MeasurementOrigin(
                fieldValues.get(at),
                fieldValues.get(source),
                fieldValues.get(samples),
                fieldValues.find(code),
                fieldValues.get(numbers)));
  }

  private static Section<Straggler> straggler(String title, String doc, String probabilityDoc) {
    Field<Straggler, Double> probability =
        Field.required(
            "probability",
            QuantityCodecs.fraction(false),
            Straggler::probability,
            probabilityDoc,
            "0.01");
    Field<Straggler, Double> slowdown =
        Field.required(
            "slowdown",
            NumberCodecs.between(1, MOST_SLOWDOWN, ""),
            Straggler::slowdown,
            "Factor by which a trial then takes longer.",
            "3");
    return Section.of(
        title,
        doc,
        List.of(probability, slowdown),
        fieldValues -> new Straggler(fieldValues.get(probability), fieldValues.get(slowdown)));
  }

  private static Section<ProvisioningTimes> provisioning() {
    Field<ProvisioningTimes, String> offer =
        Field.required(
            "offer",
            StringCodecs.text(),
            ProvisioningTimes::offer,
            "Name of the offer.",
            "aws/us-east-1/p3.8xlarge/on-demand");
    Field<ProvisioningTimes, Spread> queue =
        Field.required(
            "queue_s",
            SpreadSection.SECTION,
            ProvisioningTimes::queueS,
            "Seconds from request to running.",
            "{mean: 15, cv: 0.3}");
    Field<ProvisioningTimes, Spread> boot =
        Field.required(
            "boot_s",
            SpreadSection.SECTION,
            ProvisioningTimes::bootS,
            "Seconds from running to ready, including the job's setup.",
            "{mean: 60, cv: 0.2}");
    Field<ProvisioningTimes, Spread> setup =
        Field.withDefault(
            "setup_s",
            SpreadSection.SECTION,
            Spread.NONE,
            ProvisioningTimes::setupS,
            "The part of `boot_s` that the job's setup takes, with the image of its trials; 0 if it"
                + " was not measured.",
            "{mean: 40, cv: 0.1}");
    Field<ProvisioningTimes, Spread> image =
        Field.withDefault(
            "image_s",
            SpreadSection.SECTION,
            Spread.NONE,
            ProvisioningTimes::imageS,
            "The part of `setup_s` that pulling the image of the trials takes; 0 if it was not"
                + " measured.",
            "{mean: 30, cv: 0.1}");
    Field<ProvisioningTimes, Integer> samples =
        Field.required(
            "samples",
            NumberCodecs.wholeNumber(0, Integer.MAX_VALUE),
            ProvisioningTimes::samples,
            "Number of measured leases; 0 if the times are those of other places.",
            "4");
    return Section.of(
        "provisioning",
        "Measured provisioning times of an offer; they replace the times in the offer.",
        List.of(offer, queue, boot, setup, image, samples),
        fieldValues ->
            new ProvisioningTimes(
                fieldValues.get(offer),
                fieldValues.get(queue),
                fieldValues.get(boot),
                fieldValues.get(setup),
                fieldValues.get(image),
                fieldValues.get(samples)));
  }
}
