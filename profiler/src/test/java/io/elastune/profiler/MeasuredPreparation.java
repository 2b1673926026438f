package io.elastune.profiler;

import io.elastune.executor.journal.PreparationRow;
import java.util.Optional;
import java.util.OptionalDouble;

/** Creates preparations of instances as a journal has them. */
public final class MeasuredPreparation {
  private MeasuredPreparation() {}

  /** Returns that of an instance in no known zone. */
  public static PreparationRow of(double setupS, double imageS) {
    return of(Optional.empty(), setupS, imageS);
  }

  public static PreparationRow of(Optional<String> zone, double setupS, double imageS) {
    return new PreparationRow(
        zone, OptionalDouble.of(setupS), OptionalDouble.of(imageS), OptionalDouble.empty());
  }
}
