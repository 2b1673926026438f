package io.elastune.executor.ray.head;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** The environment variables of Ray's processes. Ray reads its token from a file. */
public final class RayEnvironment {
  private RayEnvironment() {}

  /** Returns the variables of a process that connects to a cluster. */
  public static Map<String, String> client(Path token) {
    return Map.of("RAY_AUTH_MODE", "token", "RAY_AUTH_TOKEN_PATH", token.toString());
  }

  /** Returns the variables of nodes, except the token. */
  public static Map<String, String> node() {
    Map<String, String> all = new TreeMap<>();
    all.put("RAY_AUTH_MODE", "token");
    all.put("RAY_USAGE_STATS_ENABLED", "0");
    all.put("RAY_DEFAULT_PYTHON_VERSION_MATCH_LEVEL", "minor");
    // Nodes notice a new head at once, and not after a minute.
    all.put("RAY_raylet_liveness_self_check_interval_ms", "2000");
    // Ray would only kill Elastune's agent: workers are no processes of Ray.
    all.put("RAY_memory_monitor_refresh_ms", "0");
    all.put("RAY_GRACEFUL_SHUTDOWN_DRAIN_TIMEOUT_S", "0");
    return all;
  }

  /** Returns the variables of the head. */
  static Map<String, String> head(Path token) {
    Map<String, String> all = new TreeMap<>(node());
    all.putAll(client(token));
    // A node that has failed is noticed within seconds.
    all.put("RAY_health_check_initial_delay_ms", "1000");
    all.put("RAY_health_check_period_ms", "1000");
    all.put("RAY_health_check_timeout_ms", "5000");
    all.put("RAY_health_check_failure_threshold", "5");
    return all;
  }
}
