package io.elastune.provisioner.gcp.model;

import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import java.util.Map;
import java.util.Set;

/**
 * What some images and machine types need beyond the usual launch.
 *
 * @param metadata further metadata items of nodes
 * @param reservations the reservation by machine type, for launches on demand
 * @param flexStart the machine types that are requested with flex-start instead of on demand
 */
@FileSection(title = "gcp.regions.REGION", doc = "Options of some images and machine types.")
public record LaunchOptions(
    @FileField(
            doc =
                "Further metadata of nodes. Deep Learning VM images get install-nvidia-driver by"
                    + " default.",
            absent = "{}",
            example = "{install-nvidia-driver: 'True'}")
        Map<String, String> metadata,
    @FileField(
            doc = "The reservation for each machine type, for launches on demand.",
            absent = "{}",
            example = "{a3-ultragpu-8g: my-reservation}")
        Map<String, String> reservations,
    @FileField(
            doc =
                "Machine types that are requested with flex-start instead of on demand, for at most"
                    + " 7 days.",
            example = "[a3-highgpu-8g]")
        Set<String> flexStart) {
  /** No options. */
  public static final LaunchOptions NONE = new LaunchOptions(Map.of(), Map.of(), Set.of());

  public LaunchOptions {
    metadata = Map.copyOf(metadata);
    reservations = Map.copyOf(reservations);
    flexStart = Set.copyOf(flexStart);
  }
}
