package io.elastune.core.search;

import java.util.Arrays;

/**
 * Moments of a timeline, the earliest first; of several at the same nanosecond, the one of what has
 * lasted longest, and of these, the one with the lowest key. It allocates nothing once it is large
 * enough. Not thread-safe.
 */
public final class MomentHeap {
  private static final double NANOS = 1e9;
  private static final int INITIAL = 64;

  /** Since when something lasts that precedes all others. */
  public static final long ALWAYS = Long.MIN_VALUE;

  private long[] ns = new long[INITIAL];
  private long[] sinceNs = new long[INITIAL];
  private int[] keys = new int[INITIAL];
  private int size;

  /** Returns a time in seconds, rounded to nanoseconds. */
  public static long ns(double seconds) {
    return Math.round(seconds * NANOS);
  }

  /** Removes all moments. */
  public void clear() {
    size = 0;
  }

  /** Whether it has no moment. */
  public boolean isEmpty() {
    return size == 0;
  }

  /** Returns the nanosecond of the first moment; there must be one. */
  public long firstNs() {
    return ns[0];
  }

  /** Returns the key of the first moment; there must be one. */
  public int firstKey() {
    return keys[0];
  }

  /** Returns since when that lasts which ends at the first moment; there must be one. */
  public long firstSinceNs() {
    return sinceNs[0];
  }

  /** Whether the first moment comes after the first one of another heap; both must have one. */
  public boolean isAfter(MomentHeap other) {
    return isBefore(other.ns[0], other.sinceNs[0], other.keys[0], this, 0);
  }

  /** Adds a moment. */
  public void add(long atNs, int key) {
    add(atNs, ALWAYS, key);
  }

  /**
   * Adds a moment.
   *
   * @param lastsSinceNs since when that lasts which ends then
   */
  public void add(long atNs, long lastsSinceNs, int key) {
    if (size == ns.length) {
      ns = Arrays.copyOf(ns, 2 * size);
      sinceNs = Arrays.copyOf(sinceNs, 2 * size);
      keys = Arrays.copyOf(keys, 2 * size);
    }
    int place = size++;
    while (place > 0) {
      int parent = (place - 1) >>> 1;
      if (!isBefore(atNs, lastsSinceNs, key, this, parent)) {
        break;
      }
      move(parent, place);
      place = parent;
    }
    ns[place] = atNs;
    sinceNs[place] = lastsSinceNs;
    keys[place] = key;
  }

  /** Removes the first moment and returns its key; there must be one. */
  public int poll() {
    int first = keys[0];
    size--;
    long lastNs = ns[size];
    long lastSinceNs = sinceNs[size];
    int lastKey = keys[size];
    int place = 0;
    int child = 1;
    while (child < size) {
      if (child + 1 < size
          && isBefore(ns[child + 1], sinceNs[child + 1], keys[child + 1], this, child)) {
        child++;
      }
      if (isBefore(lastNs, lastSinceNs, lastKey, this, child)) {
        break;
      }
      move(child, place);
      place = child;
      child = 2 * place + 1;
    }
    ns[place] = lastNs;
    sinceNs[place] = lastSinceNs;
    keys[place] = lastKey;
    return first;
  }

  private void move(int from, int to) {
    ns[to] = ns[from];
    sinceNs[to] = sinceNs[from];
    keys[to] = keys[from];
  }

  private static boolean isBefore(long atNs, long since, int key, MomentHeap heap, int other) {
    if (atNs != heap.ns[other]) {
      return atNs < heap.ns[other];
    }
    return since != heap.sinceNs[other] ? since < heap.sinceNs[other] : key < heap.keys[other];
  }
}
