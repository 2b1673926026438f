package io.elastune.provisioner;

import io.elastune.core.Preconditions;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How an instance was prepared, as far as its provider knows it.
 *
 * @param zone the zone in which it runs, which the provider may have chosen
 * @param setupS the seconds of its boot that the job's setup took, with the image of its trials; 0
 *     without a setup
 * @param imageS the seconds of its setup that the image of the trials took; empty without an image
 * @param copyGbPerS the GB per second that its slowest GPU reads and writes while it copies its
 *     memory; empty if that was not measured
 */
public record NodePreparation(
    Optional<String> zone,
    OptionalDouble setupS,
    OptionalDouble imageS,
    OptionalDouble copyGbPerS) {
  /** Nothing is known. */
  public static final NodePreparation UNKNOWN =
      withoutImage(Optional.empty(), OptionalDouble.empty());

  public NodePreparation {
    zone = Objects.requireNonNullElse(zone, Optional.empty());
    setupS = Objects.requireNonNullElse(setupS, OptionalDouble.empty());
    setupS.ifPresent(seconds -> Preconditions.notNegative("setupS", seconds));
    imageS = Objects.requireNonNullElse(imageS, OptionalDouble.empty());
    imageS.ifPresent(seconds -> Preconditions.notNegative("imageS", seconds));
    copyGbPerS = Objects.requireNonNullElse(copyGbPerS, OptionalDouble.empty()); // earlier
  }

  /** The preparation of an instance of a job without a setup. */
  public static NodePreparation withoutSetup(Optional<String> zone) {
    return withoutImage(zone, OptionalDouble.of(0));
  }

  /** The preparation of an instance that pulls no image. */
  public static NodePreparation withoutImage(Optional<String> zone, OptionalDouble setupS) {
    return new NodePreparation(zone, setupS, OptionalDouble.empty(), OptionalDouble.empty());
  }

  /** The preparation of an instance whose setup has succeeded and whose log is complete. */
  public static NodePreparation of(Optional<String> zone, NodeSetup setup, double seconds) {
    return new NodePreparation(
        zone,
        OptionalDouble.of(Math.max(0, seconds)),
        ImageTime.inLog(Path.of(setup.log())),
        OptionalDouble.empty());
  }

  /** Returns this preparation with the measured speed of the GPUs. */
  public NodePreparation withCopySpeed(OptionalDouble gbPerS) {
    return new NodePreparation(zone, setupS, imageS, gbPerS);
  }
}
