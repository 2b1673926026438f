package io.elastune.provisioner;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

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

  /** Returns the time in the value of {@link #EXPIRES}; empty if it is none. */
  public static Optional<Instant> expiry(String value) {
    return value.matches("[0-9]{1,11}")
        ? Optional.of(Instant.ofEpochSecond(Long.parseLong(value)))
        : Optional.empty();
  }
}
