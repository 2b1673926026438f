package io.elastune.executor.decision;

import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Virtual time: due events happen in order of their time, then of their scheduling. */
final class VirtualClock {
  private record Due(Instant at, long order, Runnable action) {}

  private final PriorityQueue<Due> queue =
      new PriorityQueue<>(Comparator.comparing(Due::at).thenComparingLong(Due::order));
  private Instant now = VirtualEnvironment.START;
  private long order;

  Instant now() {
    return now;
  }

  void later(double seconds, Runnable action) {
    queue.add(new Due(VirtualEnvironment.after(now, seconds), order++, action));
  }

  /** Runs the next event, and returns whether there was one. */
  boolean next() {
    Due due = queue.poll();
    if (due == null) {
      return false;
    }
    now = due.at();
    due.action().run();
    return true;
  }
}
