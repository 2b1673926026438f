package io.elastune.core.profile;

import io.elastune.core.Preconditions;
import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The origin of a profile. */
@FileSection(title = "measured", doc = "Origin of the numbers.")
public record MeasurementOrigin(
    @FileField(doc = "Time of the measurement.", example = "2026-11-20T06:00:00Z") Instant at,
    @FileField(doc = "What measured it.", example = "run r-17") String source,
    @FileField(doc = "Number of measured units.", absent = "0", example = "40") @Bounds(least = 0)
        int samples,
    @FileField(
            doc = "Hash of the code that was measured. If the code changes, the plan says so.",
            without = "unknown",
            example = "9f86d081884c7d65…")
        Optional<String> code,
    @FileField(
            doc = "Their accuracy; docs/profiling.md lists their names.",
            absent = "[]",
            example = "[]")
        List<MeasuredNumber> numbers) {
  /** The source of numbers that a user assumed: nothing was measured. */
  public static final String ASSUMED = "assumed";

  /** The beginning of the source of a profiling run, before its ID. */
  public static final String RUN = "run ";

  public MeasurementOrigin {
    Preconditions.text("source", source);
    Preconditions.atLeast("samples", 0, samples);
    numbers = List.copyOf(numbers);
  }

  /** Creates an origin of numbers of unknown accuracy. */
  public MeasurementOrigin(Instant at, String source, int samples, Optional<String> code) {
    this(at, source, samples, code, List.of());
  }

  /** Returns the measured number with this name, if its accuracy is known. */
  public Optional<MeasuredNumber> number(String name) {
    return numbers.stream().filter(one -> one.name().equals(name)).findFirst();
  }

  /** Returns this origin with other numbers. */
  public MeasurementOrigin withNumbers(List<MeasuredNumber> others) {
    return new MeasurementOrigin(at, source, samples, code, others);
  }

  /** Returns whether a user assumed the numbers instead of measuring them. */
  public boolean isAssumed() {
    return source.equals(ASSUMED);
  }

  /** Creates an origin without a version of the code. */
  public MeasurementOrigin(Instant at, String source, int samples) {
    this(at, source, samples, Optional.empty());
  }
}
