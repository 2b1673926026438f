package io.elastune.executor.ray.settings;

import java.util.List;
import java.util.Optional;

/**
 * How a Ray cluster of the user is reached.
 *
 * @param address {@code HOST:PORT} of the head, or {@code auto} for the cluster of which the
 *     bridge's machine is a node
 * @param via the words of a command that starts the bridge on another machine, such as {@code ssh
 *     user@head}; empty to start it here
 * @param python the Python interpreter with Ray; empty for the one on the {@code PATH}
 * @param tokenVariable the environment variable of the controller with the cluster's token
 */
public record ClusterSettings(
    String address, List<String> via, Optional<String> python, Optional<String> tokenVariable) {
  /** The address of the cluster of which this machine is a node. */
  public static final String AUTO = "auto";

  public ClusterSettings {
    via = List.copyOf(via);
  }

  /** Returns the settings of a cluster of which only the address is known. */
  public static ClusterSettings ofAddress(String address) {
    return new ClusterSettings(address, List.of(), Optional.empty(), Optional.empty());
  }
}
