package io.elastune.provisioner;

/** The reason why an instance was lost without being released. */
public enum LossReason {
  /** The cloud preempted it. */
  PREEMPTED,
  /** It failed. */
  FAILED,
  /** It does not answer: it may still exist and be billed. */
  LOST_CONTACT
}
