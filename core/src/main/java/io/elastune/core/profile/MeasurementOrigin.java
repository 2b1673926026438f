package io.elastune.core.profile;

import io.elastune.core.Preconditions;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The origin of a profile.
 *
 * @param at when it was measured
 * @param source what measured it, e.g. {@code run r-17}
 * @param samples the number of measured units
 * @param code SHA-256 of the code that was measured, in hexadecimal digits
 * @param numbers the measured numbers with their accuracy; empty if it is unknown
 */
public record MeasurementOrigin(
    Instant at, String source, int samples, Optional<String> code, List<MeasuredNumber> numbers) {
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
