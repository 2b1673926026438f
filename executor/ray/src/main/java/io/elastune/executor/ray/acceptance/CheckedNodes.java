package io.elastune.executor.ray.acceptance;

/** Whose nodes are checked. Checks, settings and remedies depend on it. */
public enum CheckedNodes {
  /** Rented instances, which a run has for itself. */
  RENTED("rented_nodes.acceptance.%s in clouds.yaml", "in the machine image"),

  /** Nodes of a Ray cluster of the user, which others use at the same time. */
  USER_CLUSTER("acceptance.%s of the cluster in clouds.yaml", "on the node");

  private final String setting;
  private final String software;

  CheckedNodes(String setting, String software) {
    this.setting = setting;
    this.software = software;
  }

  /** Returns how a message names a field of {@link AcceptanceSettings}. */
  String setting(String field) {
    return setting.formatted(field);
  }

  /** Returns where a user changes the software of such nodes. */
  String software() {
    return software;
  }

  /** Returns whether a lease may have only some GPUs of a node. */
  boolean areShared() {
    return this == USER_CLUSTER;
  }
}
