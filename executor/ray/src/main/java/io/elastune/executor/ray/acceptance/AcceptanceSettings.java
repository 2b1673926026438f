package io.elastune.executor.ray.acceptance;

import io.elastune.core.config.codec.QuantityCodecs;
import io.elastune.core.config.codec.RecordSection;
import io.elastune.core.config.codec.Section;
import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import java.time.Duration;
import java.util.List;

/**
 * What a node must have before trials use it.
 *
 * @param minFreeDisk in bytes
 */
@FileSection(title = "acceptance", doc = "The checks of a node before trials use it.")
public record AcceptanceSettings(
    @FileField(
            doc = "Checks to leave out: gpus, model, cuda, speed, health, disk, clock, image.",
            without = "none",
            example = "[speed]")
        List<NodeCheck> skip,
    @FileField(
            doc =
                "How long after the join a driver that is still being installed, or a clock that is"
                    + " being set, may take.",
            example = "6m")
        @Bounds(least = 0)
        Duration driverWait,
    @FileField(
            doc = "How long nvidia-smi, and CUDA on all GPUs, may each take to answer.",
            example = "60s")
        @Bounds(least = 1)
        Duration timeLimit,
    @FileField(
            doc =
                "The free space that the disk of the folder for code, checkpoints and logs must have.",
            example = "5G")
        long minFreeDisk) {
  /** The settings without a section in {@code clouds.yaml}. */
  public static final AcceptanceSettings DEFAULT =
      new AcceptanceSettings(
          List.of(), Duration.ofMinutes(6), Duration.ofSeconds(60), 5_000_000_000L);

  /** The settings of a Ray cluster of the user without a section: its nodes exist already. */
  public static final AcceptanceSettings OF_USER_CLUSTER =
      new AcceptanceSettings(List.of(), Duration.ZERO, Duration.ofSeconds(60), 1_000_000_000L);

  public AcceptanceSettings {
    skip = List.copyOf(skip);
  }

  /**
   * Returns how a section of a file is parsed.
   *
   * @param defaults the values of fields that are absent
   */
  public static Section<AcceptanceSettings> section(AcceptanceSettings defaults) {
    return RecordSection.define(AcceptanceSettings.class)
        .codec("minFreeDisk", QuantityCodecs.size())
        .defaults(defaults)
        .section();
  }

  boolean has(NodeCheck check) {
    return !skip.contains(check);
  }
}
