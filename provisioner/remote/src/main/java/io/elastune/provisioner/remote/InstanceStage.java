package io.elastune.provisioner.remote;

/**
 * The stages of an instance, in the only order in which an Elastune instance passes through them. A
 * cloud may skip stages.
 */
public enum InstanceStage {
  /** It is being created or started. */
  PENDING,
  RUNNING,
  /** The cloud is stopping or deleting it. Its workers may still run. */
  STOPPING,
  /** It does not run or is about to stop, but continues to exist: its disks are billed. */
  STOPPED,
  /** It is being terminated for good. */
  TERMINATING,
  /** It is terminated, and the cloud still describes it for some time. */
  TERMINATED;

  /** Returns whether the instance runs or is about to run. */
  public boolean isUp() {
    return this == PENDING || this == RUNNING;
  }
}
