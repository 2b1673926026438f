package io.elastune.executor.ray.settings;

import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import io.elastune.executor.ray.acceptance.AcceptanceSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How a Ray cluster of the user is reached.
 *
 * @param via the words of a command such as {@code ssh user@head}; empty to start the bridge here
 * @param tokenVariable the environment variable of the controller with the cluster's token
 */
@FileSection(title = "", doc = "A Ray cluster.")
public record ClusterSettings(
    @FileField(
            doc =
                "The head's address, or auto for the cluster of the machine on which the bridge"
                    + " runs.",
            absent = ClusterSettings.AUTO,
            example = "10.0.0.5:6379")
        String address,
    @FileField(
            doc = "A command that runs its arguments on a node of the cluster.",
            without = "the bridge runs on this machine",
            example = "ssh ana@lab-head")
        List<String> via,
    @FileField(
            doc = "The Python interpreter with the cluster's version of Ray.",
            without = "python3 on the PATH",
            example = "/opt/ray/bin/python")
        Optional<String> python,
    @FileField(
            name = "token_env",
            doc = "The environment variable with the cluster's token.",
            without = "no token",
            example = "LAB_RAY_TOKEN")
        Optional<String> tokenVariable,
    @FileField(
            doc =
                "How long a node that an autoscaler adds takes to start: a request stays pending"
                    + " that long.",
            without = "no autoscaler: a request stays pending for 30 s",
            example = "10m")
        @Bounds(least = 30, most = 86400)
        Optional<Duration> nodeStart,
    @FileField(
            doc = "The checks of a node before trials use it.",
            without = "all checks that disturb no other user",
            absent = "{}",
            example = "{skip: [model]}")
        AcceptanceSettings acceptance) {
  /** How long a request stays pending in a cluster without an autoscaler. */
  private static final Duration WITHOUT_AUTOSCALER = Duration.ofSeconds(30);

  /** The address of the cluster of which this machine is a node. */
  public static final String AUTO = "auto";

  public ClusterSettings {
    via = List.copyOf(via);
  }

  /** Returns how long a request stays pending before it is refused. */
  public Duration queueLimit() {
    return nodeStart.orElse(WITHOUT_AUTOSCALER);
  }

  /** Returns the settings of a cluster of which only the address is known. */
  public static ClusterSettings ofAddress(String address) {
    return new ClusterSettings(
        address,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        AcceptanceSettings.OF_USER_CLUSTER);
  }
}
