package io.elastune.core.profile;

import io.elastune.core.Check;
import java.time.Instant;

/**
 * Where a profile comes from.
 *
 * @param at when it was measured
 * @param source by what, e.g. {@code run r-17}
 * @param samples the number of measured units
 */
public record Measured(Instant at, String source, int samples) {
  public Measured {
    Check.text("source", source);
    Check.atLeast("samples", 0, samples);
  }
}
