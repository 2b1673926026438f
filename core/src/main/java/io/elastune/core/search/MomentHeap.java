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

  /** Below it, a double and the whole number below it differ by their exact difference. */
  private static final double MOST_EXACT = 1L << 52;

  /** Since when something lasts that precedes all others. */
  public static final long ALWAYS = Long.MIN_VALUE;

  private long[] ns = new long[INITIAL];
  private long[] sinceNs = always(INITIAL);
  private int[] keys = new int[INITIAL];
  private int size;

  /** Whether what ends at some moment has a begin; otherwise all have the same. */
  private boolean hasBegins;

  /** Whether the first moment was removed, and its place is still free: the next one takes it. */
  private boolean isFirstFree;

  /** Returns a time in seconds, rounded to nanoseconds as {@link Math#round(double)} does. */
  public static long ns(double seconds) {
    double exact = seconds * NANOS;
    if (!(exact >= 0 && exact < MOST_EXACT)) {
      return Math.round(exact);
    }
    long whole = (long) exact; // Math.round takes several times as long before it is optimized
    return exact - whole >= 0.5 ? whole + 1 : whole;
  }

  private static long[] always(int room) {
    long[] since = new long[room];
    Arrays.fill(since, ALWAYS);
    return since;
  }

  /** Removes all moments. */
  public void clear() {
    if (hasBegins) {
      hasBegins = false;
      Arrays.fill(sinceNs, ALWAYS);
    }
    size = 0;
    isFirstFree = false;
  }

  /** Whether it has no moment. */
  public boolean isEmpty() {
    fill();
    return size == 0;
  }

  /** Returns the nanosecond of the first moment; there must be one. */
  public long firstNs() {
    fill();
    return ns[0];
  }

  /** Returns the key of the first moment; there must be one. */
  public int firstKey() {
    fill();
    return keys[0];
  }

  /** Returns since when that lasts which ends at the first moment; there must be one. */
  public long firstSinceNs() {
    fill();
    return sinceNs[0];
  }

  /** Whether the first moment comes after the first one of another heap; both must have one. */
  public boolean isAfter(MomentHeap other) {
    fill();
    other.fill();
    return other.ns[0] != ns[0]
        ? other.ns[0] < ns[0]
        : isBefore(other.sinceNs[0], other.keys[0], this, 0);
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
    hasBegins |= lastsSinceNs != ALWAYS;
    if (isFirstFree) {
      isFirstFree = false;
      rise(sink(size), atNs, lastsSinceNs, key);
      return;
    }
    if (size == ns.length) {
      ns = Arrays.copyOf(ns, 2 * size);
      sinceNs = Arrays.copyOf(sinceNs, 2 * size);
      Arrays.fill(sinceNs, size, 2 * size, ALWAYS);
      keys = Arrays.copyOf(keys, 2 * size);
    }
    rise(size++, atNs, lastsSinceNs, key);
  }

  /** Puts a moment at a free place or above it. */
  private void rise(int from, long atNs, long lastsSinceNs, int key) {
    long[] times = ns;
    int[] ownKeys = keys;
    boolean movesBegins = hasBegins;
    int place = from;
    while (place > 0) {
      int parent = (place - 1) >>> 1;
      long parentNs = times[parent];
      if (parentNs < atNs || (parentNs == atNs && !isBefore(lastsSinceNs, key, this, parent))) {
        break;
      }
      times[place] = parentNs;
      ownKeys[place] = ownKeys[parent];
      if (movesBegins) {
        sinceNs[place] = sinceNs[parent];
      }
      place = parent;
    }
    times[place] = atNs;
    ownKeys[place] = key;
    if (movesBegins) {
      sinceNs[place] = lastsSinceNs;
    }
  }

  /** Removes the first moment and returns its key; there must be one. */
  public int poll() {
    fill();
    isFirstFree = true;
    return keys[0];
  }

  /** Puts the last moment at the first place if that is free. */
  private void fill() {
    if (isFirstFree) {
      isFirstFree = false;
      size--;
      if (size > 0) {
        rise(sink(size), ns[size], sinceNs[size], keys[size]);
      }
    }
  }

  /**
   * Lets the first place, which is free, sink to the end, where what comes there most often stays.
   *
   * @param last the number of places
   */
  private int sink(int last) {
    long[] times = ns;
    int[] ownKeys = keys;
    boolean movesBegins = hasBegins;
    int place = 0;
    int child = 1;
    while (child < last) {
      int right = child + 1;
      long childNs = times[child];
      if (right < last) {
        long rightNs = times[right];
        if (rightNs < childNs
            || (rightNs == childNs
                && (movesBegins
                    ? isBefore(sinceNs[right], ownKeys[right], this, child)
                    : ownKeys[right] < ownKeys[child]))) {
          child = right;
          childNs = rightNs;
        }
      }
      times[place] = childNs;
      ownKeys[place] = ownKeys[child];
      if (movesBegins) {
        sinceNs[place] = sinceNs[child];
      }
      place = child;
      child = 2 * place + 1;
    }
    return place;
  }

  /** Compares moments at the same nanosecond. */
  private static boolean isBefore(long since, int key, MomentHeap heap, int other) {
    long otherSince = heap.sinceNs[other];
    return since != otherSince ? since < otherSince : key < heap.keys[other];
  }
}
