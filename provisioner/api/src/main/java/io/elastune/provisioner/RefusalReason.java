package io.elastune.provisioner;

/** The reason for a refused request; it determines the next attempt and the exit code of a run. */
public enum RefusalReason {
  /** No capacity is available at present. */
  CAPACITY,
  /** A quota of the account is exceeded. */
  QUOTA,
  /** Credentials are missing or lack a permission. */
  PERMISSION,
  /** The request is invalid. */
  INVALID
}
