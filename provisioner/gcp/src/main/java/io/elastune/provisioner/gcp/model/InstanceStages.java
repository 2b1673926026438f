package io.elastune.provisioner.gcp.model;

import static io.elastune.provisioner.remote.InstanceStage.PENDING;
import static io.elastune.provisioner.remote.InstanceStage.RUNNING;
import static io.elastune.provisioner.remote.InstanceStage.STOPPED;
import static io.elastune.provisioner.remote.InstanceStage.STOPPING;

import io.elastune.provisioner.remote.InstanceStage;
import java.util.Map;

/**
 * The stages of instances by Google's status. A deleted instance is not described any more; one
 * that is being deleted has the same status as one that is being stopped.
 */
final class InstanceStages {
  private static final Map<String, InstanceStage> BY_STATUS =
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

  private InstanceStages() {}

  /** An unknown status counts as running, the most expensive stage. */
  static InstanceStage of(String status) {
    return BY_STATUS.getOrDefault(status, RUNNING);
  }
}
