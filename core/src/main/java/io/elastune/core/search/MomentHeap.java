package io.elastune.core.search;

import java.util.Arrays;

/**
 * Moments of a timeline, the earliest first; of several at the same nanosecond, the one with the
 * lowest key. It allocates nothing once it is large enough. Not thread-safe.
 */
public final class MomentHeap {
  private static final double NANOS = 1e9;
  private static final int INITIAL = 64;

  private long[] ns = new long[INITIAL];
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

  /** Adds a moment. */
  public void add(long atNs, int key) {
    if (size == ns.length) {
      ns = Arrays.copyOf(ns, 2 * size);
      keys = Arrays.copyOf(keys, 2 * size);
    }
    int place = size++;
    while (place > 0) {
      int parent = (place - 1) >>> 1;
      if (!isBefore(atNs, key, parent)) {
        break;
      }
      ns[place] = ns[parent];
      keys[place] = keys[parent];
      place = parent;
    }
    ns[place] = atNs;
    keys[place] = key;
  }

  /** Removes the first moment and returns its key; there must be one. */
  public int poll() {
    int first = keys[0];
    size--;
    long lastNs = ns[size];
    int lastKey = keys[size];
    int place = 0;
    int child = 1;
    while (child < size) {
      if (child + 1 < size && isBefore(ns[child + 1], keys[child + 1], child)) {
        child++;
      }
      if (isBefore(lastNs, lastKey, child)) {
        break;
      }
      ns[place] = ns[child];
      keys[place] = keys[child];
      place = child;
      child = 2 * place + 1;
    }
    ns[place] = lastNs;
    keys[place] = lastKey;
    return first;
  }

  private boolean isBefore(long atNs, int key, int other) {
    return atNs != ns[other] ? atNs < ns[other] : key < keys[other];
  }
}
