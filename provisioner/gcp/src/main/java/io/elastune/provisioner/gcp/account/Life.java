package io.elastune.provisioner.gcp.account;

import java.util.Map;

/**
 * The stages of an instance's lifecycle, in the only order in which an Elastune instance passes
 * through them.
 */
public enum Life {
  /** Not yet running. */
  COMING,
  RUNNING,
  /** Being stopped or deleted. */
  GOING,
  /** Stopped: it does not run, but its disk still exists and is billed. */
  STOPPED;

  /** Stages by Google's status. An unknown status counts as running, the most expensive one. */
  private static final Map<String, Life> WORDS =
      Map.ofEntries(
          Map.entry("PENDING", COMING),
          Map.entry("PROVISIONING", COMING),
          Map.entry("STAGING", COMING),
          Map.entry("RUNNING", RUNNING),
          Map.entry("REPAIRING", RUNNING),
          Map.entry("PENDING_STOP", GOING),
          Map.entry("STOPPING", GOING),
          Map.entry("SUSPENDING", GOING),
          Map.entry("DEPROVISIONING", GOING),
          Map.entry("SUSPENDED", STOPPED),
          Map.entry("STOPPED", STOPPED),
          Map.entry("TERMINATED", STOPPED));

  /** Returns the stage for Google's status of an instance. */
  public static Life of(String status) {
    return WORDS.getOrDefault(status, RUNNING);
  }

  /** Returns whether the instance runs or is about to run. */
  public boolean isUp() {
    return this == COMING || this == RUNNING;
  }
}
