package io.elastune.provisioner.aws.model;

import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import java.util.Map;

/**
 * Reserved capacity by instance type. Capacity blocks are bought for a fixed time, and have their
 * own market in launches.
 *
 * @param reservations ids of on-demand capacity reservations
 * @param blocks ids of capacity blocks
 */
@FileSection(title = "aws.REGION", doc = "Reserved capacity.")
public record Reservations(
    @FileField(
            name = "capacity_reservations",
            doc = "The on-demand capacity reservation for each instance type.",
            absent = "{}",
            example = "{p4d.24xlarge: cr-0123456789abcdef0}")
        Map<String, String> reservations,
    @FileField(
            name = "capacity_blocks",
            doc = "The capacity block for each instance type.",
            absent = "{}",
            example = "{p5.48xlarge: cr-0fedcba9876543210}")
        Map<String, String> blocks) {
  /** No reserved capacity. */
  public static final Reservations NONE = new Reservations(Map.of(), Map.of());

  public Reservations {
    reservations = Map.copyOf(reservations);
    blocks = Map.copyOf(blocks);
  }
}
