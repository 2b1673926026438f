package io.elastune.simulator;

/** Sorts small integers by an order of their own, without allocating once it has been built. */
final class IntSorter {
  /** Below this length inserting one by one is the quickest. */
  private static final int SHORT = 32;

  private final int[] scratch;

  /** Which of two comes first. */
  interface Order {
    boolean before(int a, int b);
  }

  /** A sorter for up to {@code most} items. */
  IntSorter(int most) {
    scratch = new int[most];
  }

  /** Sorts the first {@code count} of {@code items}. */
  void sort(int[] items, int count, Order order) {
    for (int from = 0; from < count; from += SHORT) {
      insert(items, from, Math.min(from + SHORT, count), order);
    }
    for (int width = SHORT; width < count; width *= 2) {
      for (int from = 0; from + width < count; from += 2 * width) {
        merge(items, from, from + width, Math.min(from + 2 * width, count), order);
      }
    }
  }

  private static void insert(int[] items, int from, int to, Order order) {
    for (int i = from + 1; i < to; i++) {
      int item = items[i];
      int at = i;
      while (at > from && order.before(item, items[at - 1])) {
        items[at] = items[at - 1];
        at--;
      }
      items[at] = item;
    }
  }

  private void merge(int[] items, int from, int middle, int to, Order order) {
    if (!order.before(items[middle], items[middle - 1])) {
      return;
    }
    System.arraycopy(items, from, scratch, from, middle - from);
    int left = from;
    int right = middle;
    int at = from;
    while (left < middle && right < to) {
      items[at++] = order.before(items[right], scratch[left]) ? items[right++] : scratch[left++];
    }
    System.arraycopy(scratch, left, items, at, middle - left);
  }
}
