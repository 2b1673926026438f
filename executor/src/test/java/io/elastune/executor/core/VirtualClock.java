package io.elastune.executor.core;

import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Virtual time: what is due happens in order of its moment, then of its planning. */
final class VirtualClock {
  private record Due(Instant at, long order, Runnable action) {}

  private final PriorityQueue<Due> queue =
      new PriorityQueue<>(Comparator.comparing(Due::at).thenComparingLong(Due::order));
  private Instant now = VirtualWorld.START;
  private long order;

  Instant now() {
    return now;
  }

  void later(double seconds, Runnable action) {
    queue.add(new Due(VirtualWorld.after(now, seconds), order++, action));
  }

  /** Has the next thing happen; says whether there was any. */
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
