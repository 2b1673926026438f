package io.elastune.executor.ray.link;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * How the bridge of a run is started.
 *
 * @param python the command of a Python interpreter that has Ray
 * @param address the cluster: {@code HOST:PORT}, {@code auto}, or {@code loopback} for agents in
 *     the bridge, without Ray
 * @param root the folder of the agents on every node; empty for their default
 * @param run the run's ID
 * @param epoch the number of controllers of the run so far, with this one; agents refuse the
 *     commands of earlier ones
 * @param log the file for the bridge's own output
 * @param environment additional environment variables of the bridge, such as the cluster's token;
 *     sent through its standard input
 * @param patience how long a request waits for a bridge and an agent before it fails
 */
public record BridgeSettings(
    List<String> python,
    String address,
    String root,
    String run,
    int epoch,
    Path log,
    Map<String, String> environment,
    Duration patience) {
  /** The address of agents in the bridge. */
  public static final String LOOPBACK = "loopback";

  public BridgeSettings {
    python = List.copyOf(python);
    environment = Map.copyOf(environment);
  }

  /** Omits the environment, which may contain a token. */
  @Override
  public String toString() {
    return "BridgeSettings[" + run + ", " + epoch + ", " + address + ", " + python + "]";
  }
}
