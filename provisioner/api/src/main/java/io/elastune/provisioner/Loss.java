package io.elastune.provisioner;

/** How an instance went away without being released. */
public enum Loss {
  /** The cloud took it back. */
  PREEMPTED,
  /** It broke. */
  FAILED,
  /** It does not answer: it may still be there, and still be billed. */
  LOST_CONTACT
}
