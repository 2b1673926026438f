package io.elastune.core.files;

import io.elastune.core.Spread;
import io.elastune.core.files.schema.Field;
import io.elastune.core.files.schema.Numbers;
import io.elastune.core.files.schema.Quantities;
import io.elastune.core.files.schema.Section;
import io.elastune.core.files.schema.Texts;
import io.elastune.core.profile.Measured;
import io.elastune.core.profile.Provisioning;
import io.elastune.core.profile.Straggler;
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The nested sections of a profile file. */
final class ProfileParts {
  private static final double LEAST_SECONDS = 1e-6;
  private static final double MOST_SLOWDOWN = 1000;

  static final Section<Measured> MEASURED = measured();
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
  static final Section<Provisioning> PROVISIONING = provisioning();

  private ProfileParts() {}

  /** A row of a table: a count and its seconds per unit. */
  record Row(int count, double seconds) {
    static NavigableMap<Integer, Double> table(List<Row> rows) {
      NavigableMap<Integer, Double> table = new TreeMap<>();
      rows.forEach(row -> table.put(row.count(), row.seconds()));
      return table;
    }

    static List<Row> rows(NavigableMap<Integer, Double> table) {
      return table.entrySet().stream()
          .map(entry -> new Row(entry.getKey(), entry.getValue()))
          .toList();
    }
  }

  static Section<Row> row(String title, String countName, int least, int most, String countDoc) {
    Field<Row, Integer> count =
        Field.required(
            countName, Numbers.whole(least, most), Row::count, countDoc, Integer.toString(least));
    Field<Row, Double> seconds =
        Field.required(
            "seconds",
            Bounds.seconds(LEAST_SECONDS),
            Row::seconds,
            "Seconds per unit of one trial.",
            "30.0");
    return Section.of(
        title,
        "The measurements, one entry per count.",
        List.of(count, seconds),
        values -> new Row(values.get(count), values.get(seconds)));
  }

  private static Section<Measured> measured() {
    Field<Measured, Instant> at =
        Field.required(
            "at",
            Quantities.moment(),
            Measured::at,
            "Time of the measurement.",
            "2026-11-20T06:00:00Z");
    Field<Measured, String> source =
        Field.required("source", Texts.text(), Measured::source, "What measured it.", "run r-17");
    Field<Measured, Integer> samples =
        Field.withDefault(
            "samples",
            Numbers.whole(0, Integer.MAX_VALUE),
            0,
            Measured::samples,
            "Number of measured units.",
            "40");
    return Section.of(
        "measured",
        "Origin of the numbers.",
        List.of(at, source, samples),
        values -> new Measured(values.get(at), values.get(source), values.get(samples)));
  }

  private static Section<Straggler> straggler(String title, String doc, String probabilityDoc) {
    Field<Straggler, Double> probability =
        Field.required(
            "probability", Quantities.share(false), Straggler::probability, probabilityDoc, "0.01");
    Field<Straggler, Double> slowdown =
        Field.required(
            "slowdown",
            Numbers.between(1, MOST_SLOWDOWN, ""),
            Straggler::slowdown,
            "Factor by which a trial then takes longer.",
            "3");
    return Section.of(
        title,
        doc,
        List.of(probability, slowdown),
        values -> new Straggler(values.get(probability), values.get(slowdown)));
  }

  private static Section<Provisioning> provisioning() {
    Field<Provisioning, String> offer =
        Field.required(
            "offer",
            Texts.text(),
            Provisioning::offer,
            "Name of the offer.",
            "aws/us-east-1/p3.8xlarge/on-demand");
    Field<Provisioning, Spread> queue =
        Field.required(
            "queue_s",
            SpreadSection.SECTION,
            Provisioning::queueS,
            "Seconds from request to running.",
            "{mean: 15, cv: 0.3}");
    Field<Provisioning, Spread> boot =
        Field.required(
            "boot_s",
            SpreadSection.SECTION,
            Provisioning::bootS,
            "Seconds from running to ready, including the job's setup.",
            "{mean: 60, cv: 0.2}");
    Field<Provisioning, Integer> samples =
        Field.required(
            "samples",
            Numbers.whole(1, Integer.MAX_VALUE),
            Provisioning::samples,
            "Number of measured leases.",
            "4");
    return Section.of(
        "provisioning",
        "Measured provisioning times of an offer; they replace the times in the offer.",
        List.of(offer, queue, boot, samples),
        values ->
            new Provisioning(
                values.get(offer), values.get(queue), values.get(boot), values.get(samples)));
  }
}
