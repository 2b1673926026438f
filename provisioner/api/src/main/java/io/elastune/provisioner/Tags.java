package io.elastune.provisioner;

import java.util.List;

/** Names of the tags on all that we create. */
public final class Tags {
  public static final String RUN = "elastune-run";
  public static final String OWNER = "elastune-owner";
  public static final String LEASE = "elastune-lease";

  /** Seconds since 1970 after which the node's dead-man timer may end it. */
  public static final String EXPIRES = "elastune-expires";

  /** All four. */
  public static final List<String> ALL = List.of(RUN, OWNER, LEASE, EXPIRES);

  private Tags() {}
}
