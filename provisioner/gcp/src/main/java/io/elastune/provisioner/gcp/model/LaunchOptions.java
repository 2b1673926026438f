package io.elastune.provisioner.gcp.model;

import java.util.Map;
import java.util.Set;

/**
 * What some images and machine types need beyond the usual launch.
 *
 * @param metadata further metadata items of nodes
 * @param reservations the reservation by machine type, for launches on demand
 * @param flexStart the machine types that are requested with flex-start instead of on demand
 */
public record LaunchOptions(
    Map<String, String> metadata, Map<String, String> reservations, Set<String> flexStart) {
  /** No options. */
  public static final LaunchOptions NONE = new LaunchOptions(Map.of(), Map.of(), Set.of());

  public LaunchOptions {
    metadata = Map.copyOf(metadata);
    reservations = Map.copyOf(reservations);
    flexStart = Set.copyOf(flexStart);
  }
}
