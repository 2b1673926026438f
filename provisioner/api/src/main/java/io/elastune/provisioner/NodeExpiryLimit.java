package io.elastune.provisioner;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * Limits when nodes without contact to their controller shut down, because the budget covers no
 * more. Nodes that are known to run shut down at a fixed time of the cloud's clock. For a node that
 * has only been requested, a fixed time would depend on the controller's clock, which may be wrong.
 * Such a node may run for a fixed duration from its own start.
 *
 * @param latest the latest expiry of running nodes; {@link Instant#MAX} for no limit
 * @param starting the longest run time of requested nodes, by lease
 */
public record NodeExpiryLimit(Instant latest, Map<String, Duration> starting) {
  /** No limit: the budget covers the whole dead-man time. */
  public static final NodeExpiryLimit NONE = new NodeExpiryLimit(Instant.MAX, Map.of());

  public NodeExpiryLimit {
    starting = Map.copyOf(starting);
  }

  /** Returns the latest expiry of the node of {@code lease}, which runs since {@code start}. */
  public Instant expiryOf(String lease, Instant start) {
    Duration most = starting.get(lease);
    return most == null ? latest : start.plus(most);
  }

  /**
   * Returns whether the node of {@code lease}, which runs since {@code start} and expires at {@code
   * expiry}, stays within the limit.
   */
  public boolean allows(String lease, Instant start, Instant expiry) {
    return !expiry.isAfter(expiryOf(lease, start));
  }

  /** Returns whether any node is limited. */
  public boolean isLimited() {
    return !equals(NONE);
  }
}
