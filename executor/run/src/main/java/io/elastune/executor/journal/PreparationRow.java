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
 */
public record PreparationRow(Optional<String> zone, OptionalDouble setupS, OptionalDouble imageS) {
  /** Nothing is known. */
  public static final PreparationRow UNKNOWN = of(NodePreparation.UNKNOWN);

  static PreparationRow of(NodePreparation preparation) {
    return new PreparationRow(preparation.zone(), preparation.setupS(), preparation.imageS());
  }
}
