package io.elastune.executor.journal;

import io.elastune.provisioner.NodePreparation;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How an instance was prepared.
 *
 * @param zone the zone in which it runs; empty if the provider did not report it
 * @param setupS the seconds of its boot that the setup took; empty if they are unknown
 * @param imageS the seconds of its setup that the image took; empty if there was none
 * @param copyGbPerS the GB per second that its slowest GPU read and wrote while it copied its
 *     memory; empty if that was not measured
 */
public record PreparationRow(
    Optional<String> zone,
    OptionalDouble setupS,
    OptionalDouble imageS,
    OptionalDouble copyGbPerS) {
  /** Nothing is known. */
  public static final PreparationRow UNKNOWN = of(NodePreparation.UNKNOWN);

  static PreparationRow of(NodePreparation preparation) {
    return new PreparationRow(
        preparation.zone(), preparation.setupS(), preparation.imageS(), preparation.copyGbPerS());
  }
}
