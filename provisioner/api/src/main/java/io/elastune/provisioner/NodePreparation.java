package io.elastune.provisioner;

import io.elastune.core.Preconditions;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How an instance was prepared, as far as its provider knows it.
 *
 * @param zone the zone in which it runs, which the provider may have chosen
 * @param setupS the seconds of its boot that the job's setup took, with the image of its trials; 0
 *     without a setup
 */
public record NodePreparation(Optional<String> zone, OptionalDouble setupS) {
  /** Nothing is known. */
  public static final NodePreparation UNKNOWN =
      new NodePreparation(Optional.empty(), OptionalDouble.empty());

  public NodePreparation {
    zone = Objects.requireNonNullElse(zone, Optional.empty());
    setupS = Objects.requireNonNullElse(setupS, OptionalDouble.empty());
    setupS.ifPresent(seconds -> Preconditions.notNegative("setupS", seconds));
  }

  /** Creates the preparation of an instance in no zone. */
  public static NodePreparation setUpIn(double seconds) {
    return new NodePreparation(Optional.empty(), OptionalDouble.of(Math.max(0, seconds)));
  }
}
