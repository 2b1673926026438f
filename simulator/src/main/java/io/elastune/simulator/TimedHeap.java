package io.elastune.simulator;

import java.util.Arrays;
import java.util.function.Predicate;

/**
 * A binary heap of items in the order of (time, number). Adding and taking allocate nothing once
 * the heap has its size. Not thread-safe.
 *
 * <p>The items do not move; the heap has the numbers of their cells. Since most new items end last,
 * a hole sinks to the bottom before the last item is put there (Wegener's bottom-up heapsort).
 * Loops read fields once, because {@code plan} runs without the optimizing compiler.
 */
final class TimedHeap<T> {
  private static final int FIRST_SIZE = 16;

  /** The times of the items, by place in the heap. */
  private double[] keys = new double[FIRST_SIZE];

  /** The numbers of the items in the upper half, their cells in the lower half, by place. */
  private long[] orders = new long[FIRST_SIZE];

  private Object[] items = new Object[FIRST_SIZE];

  /** The cells of {@code items} that are used, and from {@code size} on those that are not. */
  private int[] cells = new int[FIRST_SIZE];

  private int size;

  TimedHeap() {
    Arrays.setAll(cells, cell -> cell);
  }

  /** Returns the number of items. */
  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** Returns the earliest time; infinite if the heap is empty. */
  double firstS() {
    return size == 0 ? Double.POSITIVE_INFINITY : keys[0];
  }

  /** Adds an item; its time and number must not change while it is in the heap. */
  void add(double timeS, int number, T item) {
    if (size == items.length) {
      grow();
    }
    int cell = cells[size];
    items[cell] = item;
    put(size++, 0, timeS, ((long) number << Integer.SIZE) | cell);
  }

  /** Takes the first item of a heap that is not empty. */
  T poll() {
    T first = item(0);
    removeAt(0);
    return first;
  }

  /** Returns the item at a place from 0, in no particular order of places. */
  @SuppressWarnings("unchecked") // only add() writes items
  T item(int place) {
    return (T) items[(int) orders[place]];
  }

  /** Removes an item, which takes time in proportion to the size. */
  void remove(T item) {
    for (int place = 0; place < size; place++) {
      if (item(place) == item) {
        removeAt(place);
        return;
      }
    }
  }

  /** Removes the items that match. */
  void removeIf(Predicate<T> matches) {
    for (int place = size - 1; place >= 0; place--) {
      if (matches.test(item(place))) {
        free(place);
        keys[place] = keys[size];
        orders[place] = orders[size];
      }
    }
    for (int place = size / 2 - 1; place >= 0; place--) {
      double timeS = keys[place];
      long order = orders[place];
      put(sink(place), place, timeS, order);
    }
  }

  private void grow() {
    keys = Arrays.copyOf(keys, 2 * size);
    orders = Arrays.copyOf(orders, 2 * size);
    items = Arrays.copyOf(items, 2 * size);
    cells = Arrays.copyOf(cells, 2 * size);
    for (int cell = size; cell < cells.length; cell++) {
      cells[cell] = cell;
    }
  }

  private void removeAt(int place) {
    free(place);
    if (place < size) {
      put(sink(place), 0, keys[size], orders[size]);
    }
  }

  /** Frees the cell of the item at a place; the heap is smaller by one. */
  private void free(int place) {
    int cell = (int) orders[place];
    items[cell] = this;
    cells[--size] = cell;
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
