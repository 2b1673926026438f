package io.elastune.provisioner.aws.model;

import java.util.Map;

/**
 * Reserved capacity by instance type. Capacity blocks are bought for a fixed time, and have their
 * own market in launches.
 *
 * @param reservations ids of on-demand capacity reservations
 * @param blocks ids of capacity blocks
 */
public record Reservations(Map<String, String> reservations, Map<String, String> blocks) {
  /** No reserved capacity. */
  public static final Reservations NONE = new Reservations(Map.of(), Map.of());

  public Reservations {
    reservations = Map.copyOf(reservations);
    blocks = Map.copyOf(blocks);
  }
}
