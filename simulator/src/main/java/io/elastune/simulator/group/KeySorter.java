package io.elastune.simulator.group;

/**
 * Sorts instances or teams in ascending order of a non-negative key, usually a time. A rule decides
 * between equal keys. Allocates nothing after construction.
 */
final class KeySorter {
  /** Up to this length, insertion sort is faster than merge sort. */
  private static final int SHORT = 32;

  /**
   * Up to this length, ranking by comparing all pairs is faster, because it has no unpredictable
   * branch.
   */
  private static final int FEW = 40;

  private final double[] keys;
  private final double[] otherKeys;
  private final int[] otherItems;
  // The bits of the keys, which have the order of the keys, and for short inputs the rank of each.
  private final long[] bits;
  private final int[] ranks = new int[FEW];

  /** Decides which of two items with equal keys comes first. */
  interface TieRule {
    boolean before(int a, int b);
  }

  /** Creates a sorter for up to {@code most} items. */
  KeySorter(int most) {
    keys = new double[most];
    otherKeys = new double[most];
    otherItems = new int[most];
    bits = new long[most];
  }

  /** Sorts the first {@code count} of {@code items}; {@code keyOf} is indexed by item. */
  void sort(int[] items, int count, double[] keyOf, TieRule tieRule) {
    if (count <= FEW && sortFew(items, count, keyOf)) {
      return;
    }
    for (int i = 0; i < count; i++) {
      keys[i] = keyOf[items[i]];
    }
    for (int from = 0; from < count; from += SHORT) {
      insert(items, from, Math.min(from + SHORT, count), tieRule);
    }
    for (int width = SHORT; width < count; width *= 2) {
      for (int from = 0; from + width < count; from += 2 * width) {
        merge(items, from, from + width, Math.min(from + 2 * width, count), tieRule);
      }
    }
  }

  /**
   * Moves the {@code wanted} smallest of the first {@code count} items to the front, in their order
   * unless a rule has to decide. This is much faster than sorting, and takes linear time.
   */
  void select(int[] items, int count, int wanted, double[] keyOf, TieRule tieRule) {
    if (wanted == 0 || wanted == count) {
      return;
    }
    for (int i = 0; i < count; i++) {
      bits[i] = Double.doubleToRawLongBits(keyOf[items[i]]);
    }
    long border = nth(count, wanted - 1);
    int atMost = moveToFront(items, 0, count, keyOf, border);
    if (atMost > wanted) {
      int less = moveToFront(items, 0, atMost, keyOf, border - 1);
      selectTied(items, less, atMost, wanted, tieRule);
    }
  }

  /**
   * Returns the bits of a rank of the first {@code count} keys, which it rearranges (Hoare's
   * quickselect).
   */
  private long nth(int count, int rank) {
    int low = 0;
    int high = count;
    while (high - low > 1) {
      long pivot = median(bits[low], bits[(low + high) >>> 1], bits[high - 1]);
      int less = partition(low, high, pivot - 1);
      if (rank < less) {
        high = less;
        continue;
      }
      low = partition(less, high, pivot);
      if (rank < low) {
        return pivot;
      }
    }
    return bits[low];
  }

  private static long median(long a, long b, long c) {
    return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
  }

  /**
   * Moves the bits that are at most {@code most} to the front of a range, and returns the index of
   * the rest (Lomuto's partition). There is no branch that depends on the keys.
   */
  private int partition(int from, int to, long most) {
    long[] all = bits;
    int front = from;
    for (int i = from; i < to; i++) {
      long value = all[i];
      all[i] = all[front];
      all[front] = value;
      front += 1 - (int) ((most - value) >>> (Long.SIZE - 1));
    }
    return front;
  }

  /**
   * Moves the items whose keys are at most {@code most}, as bits, to the front of a range; both
   * parts keep their order. Returns the index of the others.
   */
  private int moveToFront(int[] items, int from, int to, double[] keyOf, long most) {
    int[] rest = otherItems;
    int front = from;
    int others = 0;
    for (int i = from; i < to; i++) {
      int item = items[i];
      rest[others] = item;
      items[front] = item;
      int isOther = (int) ((most - Double.doubleToRawLongBits(keyOf[item])) >>> (Long.SIZE - 1));
      others += isOther;
      front += 1 - isOther;
    }
    System.arraycopy(rest, 0, items, front, others);
    return front;
  }

  /** Selects among items with equal keys, as the rule orders them. */
  private static void selectTied(int[] items, int from, int to, int wanted, TieRule tieRule) {
    int low = from;
    int high = to - 1;
    while (low < high) {
      int pivot = items[(low + high) >>> 1];
      int left = low;
      int right = high;
      while (left <= right) {
        while (tieRule.before(items[left], pivot)) {
          left++;
        }
        while (tieRule.before(pivot, items[right])) {
          right--;
        }
        if (left <= right) {
          int item = items[left];
          items[left++] = items[right];
          items[right--] = item;
        }
      }
      if (wanted <= right) {
        high = right;
      } else if (wanted >= left) {
        low = left;
      } else {
        return;
      }
    }
  }

  /** Sorts a short input; returns false without changes if two keys are equal. */
  private boolean sortFew(int[] items, int count, double[] keyOf) {
    if (2 * rank(items, count, keyOf) != count * (count - 1)) {
      return false;
    }
    System.arraycopy(items, 0, otherItems, 0, count);
    for (int i = 0; i < count; i++) {
      items[ranks[i]] = otherItems[i];
    }
    return true;
  }

  /**
   * Counts for each item of a short input the keys that are less than its own. Returns the sum of
   * the counts, which is {@code count·(count−1)/2} if no two keys are equal.
   */
  private int rank(int[] items, int count, double[] keyOf) {
    for (int i = 0; i < count; i++) {
      bits[i] = Double.doubleToRawLongBits(keyOf[items[i]]);
    }
    int sum = 0;
    for (int i = 0; i < count; i++) {
      long own = bits[i];
      long less = 0;
      for (int j = 0; j < count; j++) {
        less += (bits[j] - own) >>> (Long.SIZE - 1);
      }
      ranks[i] = (int) less;
      sum += (int) less;
    }
    return sum;
  }

  private static boolean before(double keyA, int a, double keyB, int b, TieRule tieRule) {
    return keyA < keyB || (keyA == keyB && tieRule.before(a, b));
  }

  private void insert(int[] items, int from, int to, TieRule tieRule) {
    for (int i = from + 1; i < to; i++) {
      int item = items[i];
      double key = keys[i];
      int at = i;
      while (at > from && before(key, item, keys[at - 1], items[at - 1], tieRule)) {
        items[at] = items[at - 1];
        keys[at] = keys[at - 1];
        at--;
      }
      items[at] = item;
      keys[at] = key;
    }
  }

  private void merge(int[] items, int from, int middle, int to, TieRule tieRule) {
    System.arraycopy(items, from, otherItems, from, middle - from);
    System.arraycopy(keys, from, otherKeys, from, middle - from);
    int left = from;
    int right = middle;
    int at = from;
    while (left < middle && right < to) {
      if (before(keys[right], items[right], otherKeys[left], otherItems[left], tieRule)) {
        keys[at] = keys[right];
        items[at++] = items[right++];
      } else {
        keys[at] = otherKeys[left];
        items[at++] = otherItems[left++];
      }
    }
    System.arraycopy(otherItems, left, items, at, middle - left);
    System.arraycopy(otherKeys, left, keys, at, middle - left);
  }
}
