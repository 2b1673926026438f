package io.elastune.core.config;

import io.elastune.core.config.codec.Codec;
import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.ListCodecs;
import io.elastune.core.config.codec.MappedCodec;
import io.elastune.core.config.codec.NumberCodecs;
import io.elastune.core.config.codec.QuantityCodecs;
import io.elastune.core.config.codec.RecordSection;
import io.elastune.core.config.codec.Section;
import io.elastune.core.profile.MeasurementOrigin;
import io.elastune.core.profile.ProvisioningTimes;
import io.elastune.core.profile.Straggler;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The nested sections of a profile file. */
final class ProfileSubsections {
  private static final double LEAST_SECONDS = 1e-6;
  private static final double MOST_SLOWDOWN = 1000;

  static final Section<MeasurementOrigin> MEASURED =
      RecordSection.define(MeasurementOrigin.class)
          .codec("numbers", ListCodecs.of(MeasuredNumberSection.SECTION))
          .section();
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
  static final Section<ProvisioningTimes> PROVISIONING = RecordSection.of(ProvisioningTimes.class);

  private ProfileSubsections() {}

  /** A row of a table: a count and its seconds per unit. */
  record CountRow(int count, double seconds) {
    /** Returns the codec of a table by count, which is a list of rows in files. */
    static Codec<NavigableMap<Integer, Double>> table(Codec<List<CountRow>> rows) {
      return new MappedCodec<>(rows, CountRow::table, CountRow::rows);
    }

    private static NavigableMap<Integer, Double> table(List<CountRow> countRows) {
      NavigableMap<Integer, Double> table = new TreeMap<>();
      countRows.forEach(countRow -> table.put(countRow.count(), countRow.seconds()));
      return table;
    }

    private static List<CountRow> rows(NavigableMap<Integer, Double> table) {
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
}
