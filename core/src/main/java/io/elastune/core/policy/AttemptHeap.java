package io.elastune.core.policy;

import java.util.Arrays;

/**
 * Events of attempts in the order of {@link TimelineMoment}, the first one first. It allocates
 * nothing once it is large enough. Not thread-safe.
 */
final class AttemptHeap {
  private static final int INITIAL = 64;

  private long[] ns = new long[INITIAL];
  private long[] sinceNs = new long[INITIAL];
  private int[] orders = new int[INITIAL];
  private int[] keys = new int[INITIAL];
  private int size;

  void clear() {
    size = 0;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** Returns the nanosecond of the first event; there must be one. */
  long firstNs() {
    return ns[0];
  }

  /** Whether the first event comes before another one; there must be one. */
  boolean isFirstBefore(long atNs, long atSinceNs, int order) {
    return TimelineMoment.compare(ns[0], sinceNs[0], orders[0], atNs, atSinceNs, order) < 0;
  }

  /** Adds an event. */
  void add(long atNs, long atSinceNs, int order, int key) {
    if (size == ns.length) {
      ns = Arrays.copyOf(ns, 2 * size);
      sinceNs = Arrays.copyOf(sinceNs, 2 * size);
      orders = Arrays.copyOf(orders, 2 * size);
      keys = Arrays.copyOf(keys, 2 * size);
    }
    int place = size++;
    while (place > 0 && isBefore(atNs, atSinceNs, order, (place - 1) >>> 1)) {
      move((place - 1) >>> 1, place);
      place = (place - 1) >>> 1;
    }
    set(place, atNs, atSinceNs, order, key);
  }

  /** Removes the first event and returns its key; there must be one. */
  int poll() {
    int first = keys[0];
    int last = --size;
    int place = 0;
    int child = 1;
    while (child < last) {
      boolean isRight =
          child + 1 < last && isBefore(ns[child + 1], sinceNs[child + 1], orders[child + 1], child);
      child += isRight ? 1 : 0;
      if (isBefore(ns[last], sinceNs[last], orders[last], child)) {
        break;
      }
      move(child, place);
      place = child;
      child = 2 * place + 1;
    }
    move(last, place);
    return first;
  }

  private void move(int from, int to) {
    set(to, ns[from], sinceNs[from], orders[from], keys[from]);
  }

  private void set(int place, long atNs, long atSinceNs, int order, int key) {
    ns[place] = atNs;
    sinceNs[place] = atSinceNs;
    orders[place] = order;
    keys[place] = key;
  }

  private boolean isBefore(long atNs, long atSinceNs, int order, int other) {
    return TimelineMoment.compare(atNs, atSinceNs, order, ns[other], sinceNs[other], orders[other])
        < 0;
  }
}
