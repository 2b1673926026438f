package io.elastune.provisioner;

import java.util.List;

/** The names of the tags on every resource that Elastune creates. */
public final class Tags {
  public static final String RUN = "elastune-run";
  public static final String OWNER = "elastune-owner";
  public static final String LEASE = "elastune-lease";

  /** The expiry, in seconds since 1970, after which the dead-man timer shuts the node down. */
  public static final String EXPIRES = "elastune-expires";

  /** All four tags. */
  public static final List<String> ALL = List.of(RUN, OWNER, LEASE, EXPIRES);

  private Tags() {}
}
