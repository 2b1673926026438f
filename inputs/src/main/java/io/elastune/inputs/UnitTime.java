package io.elastune.inputs;

import io.elastune.core.time.Durations;
import java.util.Optional;

/**
 * The time of one training unit on one GPU, as the user knows it.
 *
 * @param gpu the GPU model
 * @param seconds seconds per unit of a trial on one GPU
 */
public record UnitTime(String gpu, double seconds) {
  /** Reads e.g. {@code 90s@A10G}; empty if the text has another form. */
  public static Optional<UnitTime> parse(String text) {
    String[] parts = text.strip().split("@", -1);
    if (parts.length != 2 || parts[1].isBlank()) {
      return Optional.empty();
    }
    return Durations.parse(parts[0].strip())
        .map(time -> new UnitTime(parts[1].strip(), time.toNanos() / 1e9))
        .filter(time -> time.seconds() > 0);
  }
}
