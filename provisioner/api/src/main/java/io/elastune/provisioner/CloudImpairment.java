package io.elastune.provisioner;

/** What impairs the connection between a run and its cloud, or the machine of its controller. */
public enum CloudImpairment {
  /** The login is about to expire. */
  LOGIN_EXPIRING("login_expiring"),
  /** The cloud does not accept the login any more: nothing is rented, renewed or terminated. */
  LOGIN_EXPIRED("login_expired"),
  /** The cloud limits the rate of calls, for longer than a moment. */
  THROTTLED("throttled"),
  /** No call has had a conclusive response for some time. */
  UNREACHABLE("unreachable"),
  /** The cloud has not confirmed in time that released instances end. */
  TERMINATION_UNCONFIRMED("termination_unconfirmed"),
  /** The disk of the controller with the folder of the run is nearly full. */
  DISK_LOW("disk_low");

  private final String label;

  CloudImpairment(String label) {
    this.label = label;
  }

  /** Returns the name in journals and JSON output; a contract. */
  public String label() {
    return label;
  }

  /** Returns the impairment with that name. */
  public static CloudImpairment of(String label) {
    for (CloudImpairment some : values()) {
      if (some.label.equals(label)) {
        return some;
      }
    }
    throw new IllegalArgumentException("unknown impairment of a cloud: " + label);
  }
}
