package io.elastune.core.profile;

import io.elastune.core.Check;
import java.time.Instant;

/**
 * The origin of a profile.
 *
 * @param at when it was measured
 * @param source what measured it, e.g. {@code run r-17}
 * @param samples the number of measured units
 */
public record Measured(Instant at, String source, int samples) {
  public Measured {
    Check.text("source", source);
    Check.atLeast("samples", 0, samples);
  }
}
