package io.elastune.provisioner.gcp.account;

import java.util.Map;

/** What becomes of an instance, in the only order in which one of ours goes through it. */
public enum Life {
  /** Not yet running. */
  COMING,
  RUNNING,
  /** On its way to a stop, or to its deletion. */
  GOING,
  /** Stopped: it does not run, but its disk is still there and billed. */
  STOPPED;

  /** By Google's word; a word that is not here is taken for the dearest. */
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

  /** What Google's status of an instance means. */
  public static Life of(String status) {
    return WORDS.getOrDefault(status, RUNNING);
  }

  /** Whether it is, or will be, up. */
  public boolean isUp() {
    return this == COMING || this == RUNNING;
  }
}
