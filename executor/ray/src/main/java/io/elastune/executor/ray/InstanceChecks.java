package io.elastune.executor.ray;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Limits the checks of one instance on which trials were lost. An instance that passes every check
 * but loses its trials again and again would be billed without progress.
 */
public final class InstanceChecks {
  private static final Duration PERIOD = Duration.ofHours(1);
  private static final int MAX = 3;

  private final Deque<Instant> begun = new ArrayDeque<>();

  /**
   * Begins a check.
   *
   * @return whether one is useful; otherwise the instance counts as lost
   */
  public boolean tryBegin(Instant now) {
    while (!begun.isEmpty() && begun.peek().plus(PERIOD).isBefore(now)) {
      begun.remove();
    }
    return begun.size() < MAX && begun.add(now);
  }

  /** Returns why the instance counts as lost if another check is of no use. */
  public String exceeded() {
    return "trials were lost on this instance %d times within %d min"
        .formatted(MAX + 1, PERIOD.toMinutes());
  }
}
