package io.elastune.provisioner.gcp.model;

import java.util.Map;

/**
 * The stages of an instance's lifecycle, in the only order in which an Elastune instance passes
 * through them.
 */
public enum InstanceLifecycle {
  /** Not yet running. */
  PENDING,
  RUNNING,
  /** Being stopped or deleted. */
  STOPPING,
  /** Stopped: it does not run, but its disk still exists and is billed. */
  STOPPED;

  /** Stages by Google's status. An unknown status counts as running, the most expensive one. */
  private static final Map<String, InstanceLifecycle> WORDS =
      Map.ofEntries(
          Map.entry("PENDING", PENDING),
          Map.entry("PROVISIONING", PENDING),
          Map.entry("STAGING", PENDING),
          Map.entry("RUNNING", RUNNING),
          Map.entry("REPAIRING", RUNNING),
          Map.entry("PENDING_STOP", STOPPING),
          Map.entry("STOPPING", STOPPING),
          Map.entry("SUSPENDING", STOPPING),
          Map.entry("DEPROVISIONING", STOPPING),
          Map.entry("SUSPENDED", STOPPED),
          Map.entry("STOPPED", STOPPED),
          Map.entry("TERMINATED", STOPPED));

  /** Returns the stage for Google's status of an instance. */
  public static InstanceLifecycle of(String status) {
    return WORDS.getOrDefault(status, RUNNING);
  }

  /** Returns whether the instance runs or is about to run. */
  public boolean isUp() {
    return this == PENDING || this == RUNNING;
  }
}
