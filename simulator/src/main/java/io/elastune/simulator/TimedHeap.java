package io.elastune.simulator;

import java.util.Arrays;
import java.util.function.Predicate;

/**
 * A binary heap of items in the order of (time, number). Adding and taking allocate nothing once
 * the heap has its size. Not thread-safe.
 */
final class TimedHeap<T> {
  private static final int FIRST_SIZE = 16;

  private double[] keys = new double[FIRST_SIZE];
  private int[] numbers = new int[FIRST_SIZE];
  private Object[] items = new Object[FIRST_SIZE];
  private int size;

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
      keys = Arrays.copyOf(keys, 2 * size);
      numbers = Arrays.copyOf(numbers, 2 * size);
      items = Arrays.copyOf(items, 2 * size);
    }
    rise(size++, timeS, number, item);
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
    return (T) items[place];
  }

  /** Removes an item, which takes time in proportion to the size. */
  void remove(T item) {
    for (int place = 0; place < size; place++) {
      if (items[place] == item) {
        removeAt(place);
        return;
      }
    }
  }

  /** Removes the items that match. */
  void removeIf(Predicate<T> matches) {
    int left = 0;
    for (int place = 0; place < size; place++) {
      if (!matches.test(item(place))) {
        move(place, left++);
      }
    }
    Arrays.fill(items, left, size, this);
    size = left;
    for (int place = size / 2 - 1; place >= 0; place--) {
      sink(place, keys[place], numbers[place], items[place]);
    }
  }

  private void removeAt(int place) {
    size--;
    double timeS = keys[size];
    int number = numbers[size];
    Object last = items[size];
    items[size] = this;
    if (place == size) {
      return;
    }
    int parent = (place - 1) / 2;
    if (place > 0 && isBefore(timeS, number, parent)) {
      rise(place, timeS, number, last);
    } else {
      sink(place, timeS, number, last);
    }
  }

  private boolean isBefore(double timeS, int number, int place) {
    return timeS < keys[place] || (timeS == keys[place] && number < numbers[place]);
  }

  private void rise(int from, double timeS, int number, Object item) {
    int place = from;
    while (place > 0) {
      int parent = (place - 1) / 2;
      if (!isBefore(timeS, number, parent)) {
        break;
      }
      move(parent, place);
      place = parent;
    }
    put(place, timeS, number, item);
  }

  private void sink(int from, double timeS, int number, Object item) {
    int place = from;
    for (int child = 2 * place + 1; child < size; child = 2 * place + 1) {
      if (child + 1 < size && isBefore(keys[child + 1], numbers[child + 1], child)) {
        child++;
      }
      if (!isBefore(keys[child], numbers[child], timeS, number)) {
        break;
      }
      move(child, place);
      place = child;
    }
    put(place, timeS, number, item);
  }

  private static boolean isBefore(double timeS, int number, double otherS, int other) {
    return timeS < otherS || (timeS == otherS && number < other);
  }

  private void move(int from, int to) {
    keys[to] = keys[from];
    numbers[to] = numbers[from];
    items[to] = items[from];
  }

  private void put(int place, double timeS, int number, Object item) {
    keys[place] = timeS;
    numbers[place] = number;
    items[place] = item;
  }
}
