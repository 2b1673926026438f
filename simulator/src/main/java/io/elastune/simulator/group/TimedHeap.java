package io.elastune.simulator.group;

import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * A binary heap of numbered items in the order of (time, rank, item). Adding and taking allocate
 * nothing once the heap has its size. Not thread-safe.
 *
 * <p>Since most new items end last, a hole sinks to the bottom before the last item is put there
 * (Wegener's bottom-up heapsort). Loops read fields once, because {@code plan} runs without the
 * optimizing compiler.
 */
final class TimedHeap {
  private static final int FIRST_SIZE = 16;

  /** The times of the items, by place in the heap. */
  private double[] keys = new double[FIRST_SIZE];

  /** The ranks of the items in the upper half, the items in the lower half, by place. */
  private long[] orders = new long[FIRST_SIZE];

  private int size;

  /** Returns the number of items. */
  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** Removes all items. */
  void clear() {
    size = 0;
  }

  /** Returns the earliest time; infinite if the heap is empty. */
  double firstS() {
    return size == 0 ? Double.POSITIVE_INFINITY : keys[0];
  }

  /** Returns whether the first item of a heap that is not empty comes before a time and rank. */
  boolean isBefore(double timeS, int rank) {
    return keys[0] < timeS || (keys[0] == timeS && (int) (orders[0] >>> Integer.SIZE) < rank);
  }

  /** Returns the first item of a heap that is not empty. */
  int first() {
    return (int) orders[0];
  }

  /**
   * Adds an item.
   *
   * @param rank at least 0; of several items at the same time, the least comes first
   * @param item at least 0
   */
  void add(double timeS, int rank, int item) {
    if (size == keys.length) {
      keys = Arrays.copyOf(keys, 2 * size);
      orders = Arrays.copyOf(orders, 2 * size);
    }
    put(size++, 0, timeS, order(rank, item));
  }

  /** Takes the first item of a heap that is not empty. */
  int poll() {
    int first = first();
    size--;
    if (size > 0) {
      put(sink(0), 0, keys[size], orders[size]);
    }
    return first;
  }

  /**
   * Gives the first item of a heap that is not empty the next number. It stays first, unless
   * another item has the same time and rank.
   */
  void renumberFirst() {
    orders[0]++;
  }

  private int item(int place) {
    return (int) orders[place];
  }

  /** Removes the items that match, which takes time in proportion to the size. */
  void removeIf(IntPredicate matches) {
    int left = 0;
    for (int place = 0; place < size; place++) {
      if (!matches.test(item(place))) {
        keys[left] = keys[place];
        orders[left++] = orders[place];
      }
    }
    if (left == size) {
      return;
    }
    size = left;
    for (int place = size / 2 - 1; place >= 0; place--) {
      double timeS = keys[place];
      long order = orders[place];
      put(sink(place), place, timeS, order);
    }
  }

  private static long order(int rank, int item) {
    return ((long) rank << Integer.SIZE) | item;
  }

  /** Moves the earlier child up into a hole, and so on; returns the leaf where the hole is then. */
  private int sink(int place) {
    double[] heapKeys = keys;
    long[] heapOrders = orders;
    int last = size - 1;
    int hole = place;
    int child = 2 * hole + 1;
    while (child <= last) {
      double timeS = heapKeys[child];
      long order = heapOrders[child];
      if (child < last) {
        double otherS = heapKeys[child + 1];
        long other = heapOrders[child + 1];
        if (otherS < timeS || (otherS == timeS && other < order)) {
          child++;
          timeS = otherS;
          order = other;
        }
      }
      heapKeys[hole] = timeS;
      heapOrders[hole] = order;
      hole = child;
      child = 2 * hole + 1;
    }
    return hole;
  }

  /** Puts an item into a hole, or above it, but not above {@code top}. */
  private void put(int place, int top, double timeS, long order) {
    double[] heapKeys = keys;
    long[] heapOrders = orders;
    int hole = place;
    while (hole > top) {
      int parent = (hole - 1) >> 1;
      double parentS = heapKeys[parent];
      if (parentS < timeS || (parentS == timeS && heapOrders[parent] < order)) {
        break;
      }
      heapKeys[hole] = parentS;
      heapOrders[hole] = heapOrders[parent];
      hole = parent;
    }
    heapKeys[hole] = timeS;
    heapOrders[hole] = order;
  }
}
