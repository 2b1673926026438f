package io.elastune.provisioner;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * By when nodes that hear nothing more of their controller are to have ended, because nobody pays
 * for longer. What is known to run ends at a moment of the cloud's own time. Of what has only been
 * requested nobody can tell such a moment but by the controller's clock, which may be wrong: it may
 * run for so long from its own start.
 *
 * @param latest when those that are known to run end; {@link Instant#MAX} for no such moment
 * @param starting for the others, by lease: how long they may run
 */
public record LifeLimit(Instant latest, Map<String, Duration> starting) {
  /** There is money for as long as the dead-man time. */
  public static final LifeLimit NONE = new LifeLimit(Instant.MAX, Map.of());

  public LifeLimit {
    starting = Map.copyOf(starting);
  }

  /** By when the node of {@code lease} ends, if it runs since {@code start}. */
  public Instant endOf(String lease, Instant start) {
    Duration most = starting.get(lease);
    return most == null ? latest : start.plus(most);
  }

  /**
   * Whether it is kept by the node of {@code lease}, running since {@code start}, that has been
   * told to end at {@code told}.
   */
  public boolean isKept(String lease, Instant start, Instant told) {
    return !told.isAfter(endOf(lease, start));
  }

  /** Whether it holds for any node. */
  public boolean exists() {
    return !equals(NONE);
  }
}
