package io.elastune.executor.simulation;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Virtual clock and event queue. Actions run in the order of their times; at the same time, in the
 * order of the times at which they were scheduled. Of those that were scheduled at the same time,
 * those of attempts run last, in the order in which the attempts started, as predictions assume;
 * all others run in the order in which they were scheduled. Not thread-safe.
 */
public final class VirtualTime implements InstantSource {
  /** The default start time of a simulated environment. */
  public static final Instant START = Instant.parse("2026-11-20T06:00:00Z");

  private static final double NANOS_PER_S = 1e9;

  private static final int NO_ATTEMPT = 0;

  private static final Comparator<Entry> ORDER =
      Comparator.comparingLong(Entry::at)
          .thenComparingLong(Entry::scheduledAt)
          .thenComparingInt(Entry::attempt)
          .thenComparingLong(Entry::order);

  private record Entry(long at, long scheduledAt, int attempt, long order, Runnable action) {}

  private final Instant start;
  private final PriorityQueue<Entry> queue = new PriorityQueue<>(ORDER);
  private long now;
  private long order;

  /** Creates a clock that starts at {@code start}. */
  VirtualTime(Instant start) {
    this.start = start;
  }

  /** Returns the nanoseconds since the start. */
  public long nanos() {
    return now;
  }

  /** Returns the seconds since the start. */
  public double seconds() {
    return now / NANOS_PER_S;
  }

  @Override
  public Instant instant() {
    return instantAt(now);
  }

  /** Returns the time {@code nanos} nanoseconds after the start. */
  public Instant instantAt(long nanos) {
    return start.plusNanos(nanos);
  }

  /** Returns the nanoseconds from the start to {@code moment}. */
  public long nanos(Instant moment) {
    return Duration.between(start, moment).toNanos();
  }

  /**
   * Returns the time of the next action, in nanoseconds after the start; {@code Long.MAX_VALUE} if
   * there is none.
   */
  public long nextActionNanos() {
    Entry next = queue.peek();
    return next == null ? Long.MAX_VALUE : next.at;
  }

  /** Converts seconds to nanoseconds, rounded to the nearest. */
  public static long nanos(double seconds) {
    return Math.round(seconds * NANOS_PER_S);
  }

  /** Schedules an action {@code seconds} from now; negative values mean now. */
  public void scheduleAfter(double seconds, Runnable action) {
    scheduleAt(now + nanos(seconds), action);
  }

  /** Schedules an action {@code nanos} nanoseconds after the start; times in the past mean now. */
  public void scheduleAt(long nanos, Runnable action) {
    schedule(nanos, NO_ATTEMPT, action);
  }

  /**
   * Schedules an action of an attempt, as {@link #scheduleAt(long, Runnable)} does.
   *
   * @param attempt the number of the attempt in the order of all starts, from 1
   */
  void schedule(long nanos, int attempt, Runnable action) {
    queue.add(new Entry(Math.max(now, nanos), now, attempt, order++, action));
  }

  /** Runs the next action. Returns whether there was one. */
  public boolean step() {
    Entry next = queue.poll();
    if (next == null) {
      return false;
    }
    now = next.at;
    next.action.run();
    return true;
  }

  /** Advances the clock by {@code time}, and runs all actions due by then. */
  public void advance(Duration time) {
    long until = now + time.toNanos();
    for (Entry next = queue.peek(); next != null && next.at <= until; next = queue.peek()) {
      step();
    }
    now = until;
  }
}
