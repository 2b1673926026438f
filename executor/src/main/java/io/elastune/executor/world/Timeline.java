package io.elastune.executor.world;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.PriorityQueue;

/**
 * Virtual time: what is to happen, in order of moment and, at the same moment, of being put down.
 * Not for several threads.
 */
public final class Timeline implements InstantSource {
  /** The moment at which a simulated world begins, unless it is to begin at another. */
  public static final Instant START = Instant.parse("2026-11-20T06:00:00Z");

  private static final double NANOS_PER_S = 1e9;

  private record Entry(long at, long order, Runnable happening) implements Comparable<Entry> {
    @Override
    public int compareTo(Entry other) {
      int byTime = Long.compare(at, other.at);
      return byTime == 0 ? Long.compare(order, other.order) : byTime;
    }
  }

  private final Instant start;
  private final PriorityQueue<Entry> queue = new PriorityQueue<>();
  private long now;
  private long order;

  /** {@code start}: the moment of the beginning. */
  Timeline(Instant start) {
    this.start = start;
  }

  /** Nanoseconds since the beginning. */
  public long nanos() {
    return now;
  }

  /** Seconds since the beginning. */
  public double seconds() {
    return now / NANOS_PER_S;
  }

  @Override
  public Instant instant() {
    return moment(now);
  }

  /** The moment that lies {@code nanos} after the beginning. */
  public Instant moment(long nanos) {
    return start.plusNanos(nanos);
  }

  /** Nanoseconds from the beginning to {@code moment}. */
  public long nanos(Instant moment) {
    return Duration.between(start, moment).toNanos();
  }

  /** When the next thing happens, in nanoseconds after the beginning; never if nothing does. */
  public long next() {
    Entry next = queue.peek();
    return next == null ? Long.MAX_VALUE : next.at;
  }

  /** {@code seconds} as nanoseconds, to the nearest one. */
  public static long nanos(double seconds) {
    return Math.round(seconds * NANOS_PER_S);
  }

  /** Has something happen {@code seconds} from now; what is due already, happens next. */
  public void after(double seconds, Runnable happening) {
    at(now + nanos(seconds), happening);
  }

  /** Has something happen {@code nanos} after the beginning. */
  public void at(long nanos, Runnable happening) {
    queue.add(new Entry(Math.max(now, nanos), order++, happening));
  }

  /** Lets the next thing happen; says whether there was one. */
  public boolean step() {
    Entry next = queue.poll();
    if (next == null) {
      return false;
    }
    now = next.at;
    next.happening.run();
    return true;
  }

  /** Lets {@code time} pass, and everything happen that is due by then. */
  public void advance(Duration time) {
    long until = now + time.toNanos();
    for (Entry next = queue.peek(); next != null && next.at <= until; next = queue.peek()) {
      step();
    }
    now = until;
  }
}
