package io.elastune.executor.ray.rented;

import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import io.elastune.executor.ray.acceptance.AcceptanceSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The settings of rented instances that join a Ray cluster. */
@FileSection(title = "rented_nodes", doc = "Settings of rented instances that join a Ray cluster.")
public record RentedSettings(
    @FileField(
            doc =
                "The address of this machine at which instances reach the head of the Ray cluster.",
            without = "the primary address of this machine",
            example = "10.0.0.5")
        Optional<String> headAddress,
    @FileField(doc = "The port of the head; 0 for any free one.", example = "6379")
        @Bounds(least = 0, most = 65535)
        int headPort,
    @FileField(
            doc = "The Python interpreter of this machine that has Ray.",
            without = "that of the node runtime",
            example = "/opt/ray/bin/python")
        Optional<String> headPython,
    @FileField(
            doc = "The Python interpreter in the machine image that has Ray.",
            without = "that of the node runtime",
            example = "/opt/ray/bin/python")
        Optional<String> python,
    @FileField(
            doc = "The folder for code, checkpoints and logs on instances.",
            without = "/var/lib/elastune-ray, on a local disk of the instance if it has one",
            example = "/mnt/elastune")
        Optional<String> folder,
    @FileField(
            doc = "Regions whose networks reach each other, such as by peering.",
            without = "a run uses one network",
            example = "[us-east-1, us-east-2]")
        List<String> connectedRegions,
    @FileField(doc = "How long a booted instance may take to join the Ray cluster.", example = "5m")
        @Bounds(least = 10)
        Duration joinTimeout,
    @FileField(
            doc = "The checks of an instance before trials use it.",
            without = "all checks",
            example = "{skip: [speed]}")
        AcceptanceSettings acceptance) {
  /** The settings without a section in {@code clouds.yaml}. */
  public static final RentedSettings DEFAULT =
      new RentedSettings(
          Optional.empty(),
          0,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          List.of(),
          Duration.ofMinutes(5),
          AcceptanceSettings.DEFAULT);

  public RentedSettings {
    connectedRegions = List.copyOf(connectedRegions);
  }

  /** Returns the folder for code, checkpoints and logs on instances. */
  public String nodeFolder() {
    return folder.orElse("/var/lib/elastune-ray");
  }

  /** Returns the folder of the agents on instances. */
  public String agentRoot() {
    return nodeFolder() + "/agents";
  }
}
