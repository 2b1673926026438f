package io.elastune.core.profile;

import io.elastune.core.Preconditions;
import java.time.Instant;

/**
 * The origin of a profile.
 *
 * @param at when it was measured
 * @param source what measured it, e.g. {@code run r-17}
 * @param samples the number of measured units
 */
public record MeasurementOrigin(Instant at, String source, int samples) {
  public MeasurementOrigin {
    Preconditions.text("source", source);
    Preconditions.atLeast("samples", 0, samples);
  }
}
