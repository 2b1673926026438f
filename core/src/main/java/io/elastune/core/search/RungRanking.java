package io.elastune.core.search;

import java.util.Arrays;

/**
 * The results of one rung in one bracket, divided into the best ones and the others, in a {@link
 * RungRun}. Only results near the border between both are sorted: a result that is far from it is
 * added in constant time, and the border moves by one result at a time. Results in an unfavorable
 * order, each better than all before, take the square root of their number each. The sorted {@link
 * RankedResults} of the state of a run take linear time. Not thread-safe.
 */
final class RungRanking {
  private static final int NONE = -1;
  private static final int INITIAL = 8;

  /** Fewest results that are sorted on each side of the border when it has moved far. */
  private static final int LEAST_NEAR = 6;

  /** So many times as many results may be sorted in all. */
  private static final int MOST_NEAR = 4;

  /** The best ones are the first of {@code share} equal parts of all results, rounded down. */
  private final int share;

  /** How many are among the best in any case. */
  private final int least;

  private double[] losses = new double[INITIAL];

  /** The losses, or infinity for none: the order of results, except for equal ones. */
  private double[] keys = new double[INITIAL];

  private int[] trials = new int[INITIAL];
  private boolean[] isPromoted = new boolean[INITIAL];
  private boolean[] isBest = new boolean[INITIAL];
  private boolean[] isQueued = new boolean[INITIAL];
  private int size;

  // The results near the border in their order, with their keys, and how many of them are best.
  private int[] near = new int[INITIAL];
  private double[] nearKeys = new double[INITIAL];
  private int nearSize;
  private int nearBest;

  /** The results before them, all of which are among the best; in no order. */
  private final Pile better = new Pile();

  /** The results after them, none of which is; in no order. */
  private final Pile worse = new Pile();

  /** Results that were open and among the best, the best of them first; some are no more. */
  private final Heap queue = new Heap();

  private int open;

  RungRanking(int share, int least) {
    this.share = share;
    this.least = least;
  }

  /** Removes all results. */
  void clear() {
    size = 0;
    nearSize = 0;
    nearBest = 0;
    better.size = 0;
    worse.size = 0;
    queue.size = 0;
    open = 0;
  }

  /** Returns the number of results. */
  int size() {
    return size;
  }

  int trial(int index) {
    return trials[index];
  }

  double loss(int index) {
    return losses[index];
  }

  /** Whether a result has a finite metric. */
  boolean isValid(int index) {
    return !Double.isNaN(losses[index]);
  }

  /**
   * Adds a result and returns its index, which is in the order of arrival.
   *
   * @param loss NaN for none
   */
  int add(int trial, double loss, boolean promoted) {
    if (size == losses.length) {
      grow();
    }
    int index = size++;
    boolean isFinite = Double.isFinite(loss);
    double key = isFinite ? loss : Double.POSITIVE_INFINITY;
    losses[index] = isFinite ? loss + 0.0 : Double.NaN;
    keys[index] = key;
    trials[index] = trial;
    isPromoted[index] = promoted;
    isBest[index] = false;
    isQueued[index] = false;
    sort(index, key);
    int most = Math.max(Math.min(least, size), size / share);
    while (better.size + nearBest > most) {
      if (nearBest == 0) {
        sortWorst();
      }
      leave(near[--nearBest]);
    }
    while (better.size + nearBest < most) {
      if (nearBest == nearSize) {
        sortBest();
      }
      join(near[nearBest++]);
    }
    return index;
  }

  private void grow() {
    int length = 2 * size;
    losses = Arrays.copyOf(losses, length);
    keys = Arrays.copyOf(keys, length);
    trials = Arrays.copyOf(trials, length);
    isPromoted = Arrays.copyOf(isPromoted, length);
    isBest = Arrays.copyOf(isBest, length);
    isQueued = Arrays.copyOf(isQueued, length);
  }

  /** Puts a new result among the others. */
  private void sort(int index, double key) {
    int last = nearSize - 1;
    if (last > 0 && isAfter(index, key, last)) {
      worse.add(index);
    } else if (last > 0 && !isAfter(index, key, 0)) {
      better.add(index);
      join(index);
    } else if (nearSize < MOST_NEAR * nearEach()) {
      insert(place(index, key), index, key);
    } else {
      putAside();
      sort(index, key);
    }
  }

  /** Whether a result comes after one of those near the border. */
  private boolean isAfter(int index, double key, int place) {
    double other = nearKeys[place];
    return key > other || (key == other && trials[index] > trials[near[place]]);
  }

  private int place(int index, double key) {
    double[] others = nearKeys;
    int from = 0;
    int to = nearSize;
    while (from < to) {
      int middle = (from + to) >>> 1;
      double other = others[middle];
      if (key > other || (key == other && trials[index] > trials[near[middle]])) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  private void insert(int place, int index, double key) {
    reserveNear(nearSize + 1);
    int after = nearSize - place;
    System.arraycopy(near, place, near, place + 1, after);
    System.arraycopy(nearKeys, place, nearKeys, place + 1, after);
    near[place] = index;
    nearKeys[place] = key;
    nearSize++;
    if (place < nearBest) {
      nearBest++;
      join(index);
    }
  }

  private void reserveNear(int room) {
    if (room > near.length) {
      near = Arrays.copyOf(near, 2 * room);
      nearKeys = Arrays.copyOf(nearKeys, 2 * room);
    }
  }

  /** Returns how many results are to be sorted on each side of the border. */
  private int nearEach() {
    return LEAST_NEAR + (int) (Math.sqrt(size) / 2);
  }

  /** Sorts no more results than necessary any more. */
  private void putAside() {
    int each = nearEach();
    int first = Math.max(0, nearBest - each);
    int end = Math.min(nearSize, nearBest + each);
    for (int place = 0; place < first; place++) {
      better.add(near[place]);
    }
    for (int place = end; place < nearSize; place++) {
      worse.add(near[place]);
    }
    nearSize = end - first;
    nearBest -= first;
    System.arraycopy(near, first, near, 0, nearSize);
    System.arraycopy(nearKeys, first, nearKeys, 0, nearSize);
  }

  /** Moves the worst of the better results to those near the border, which begin with others. */
  private void sortWorst() {
    int count = Math.min(nearEach(), better.size);
    better.moveWorstToEnd(count);
    reserveNear(nearSize + count);
    System.arraycopy(near, 0, near, count, nearSize);
    System.arraycopy(nearKeys, 0, nearKeys, count, nearSize);
    nearSize += count;
    nearBest = count;
    take(better, count, 0);
  }

  /** Moves the best of the worse results to those near the border, which are all among the best. */
  private void sortBest() {
    int count = Math.min(nearEach(), worse.size);
    worse.moveBestToEnd(count);
    reserveNear(nearSize + count);
    nearSize += count;
    take(worse, count, nearSize - count);
  }

  /** Takes the last results of a pile, and puts them at a place in their order. */
  private void take(Pile pile, int count, int from) {
    pile.size -= count;
    for (int i = 0; i < count; i++) {
      int index = pile.indexes[pile.size + i];
      double key = keys[index];
      int place = from + i;
      while (place > from && !isAfter(index, key, place - 1)) {
        near[place] = near[place - 1];
        nearKeys[place] = nearKeys[place - 1];
        place--;
      }
      near[place] = index;
      nearKeys[place] = key;
    }
  }

  private void join(int index) {
    isBest[index] = true;
    if (isValid(index) && !isPromoted[index]) {
      open++;
      if (!isQueued[index]) {
        isQueued[index] = true;
        queue.add(index);
      }
    }
  }

  private void leave(int index) {
    isBest[index] = false;
    if (isValid(index) && !isPromoted[index]) {
      open--;
    }
  }

  /** Whether a result is among the best. */
  boolean isBest(int index) {
    return isBest[index];
  }

  /** Returns how many of the best results are valid and not promoted. */
  int open() {
    return open;
  }

  /** Returns the index of the best result that is open and among the best; negative for none. */
  int firstOpen() {
    if (open == 0) {
      return NONE;
    }
    while (queue.size > 0) {
      int index = queue.first();
      if (isBest[index] && !isPromoted[index]) {
        return index;
      }
      queue.poll();
      isQueued[index] = false;
    }
    return NONE;
  }

  /**
   * Returns the index of the best result that is open, among the best, and of one of these trials;
   * negative for none.
   *
   * @param isOneOf by number of a trial; of later ones, none
   */
  int firstOpen(boolean[] isOneOf) {
    int first = NONE;
    for (int index = 0; index < size && open > 0; index++) {
      boolean isOpen = isBest[index] && isValid(index) && !isPromoted[index];
      boolean isOne = isOpen && trials[index] < isOneOf.length && isOneOf[trials[index]];
      first = isOne && (first < 0 || comesBefore(index, first)) ? index : first;
    }
    return first;
  }

  /** Marks a result as promoted. */
  void promote(int index) {
    if (!isPromoted[index] && isBest[index] && isValid(index)) {
      open--;
    }
    isPromoted[index] = true;
  }

  /**
   * Returns the index of the best of all results that is open, if fewer than {@code limit} are
   * better; negative otherwise.
   */
  int firstOpenOfAll(int limit) {
    int first = NONE;
    for (int index = 0; index < size; index++) {
      boolean isOpen = isValid(index) && !isPromoted[index];
      first = isOpen && (first < 0 || comesBefore(index, first)) ? index : first;
    }
    if (first < 0) {
      return NONE;
    }
    int better = 0;
    for (int index = 0; index < size; index++) {
      better += comesBefore(index, first) ? 1 : 0;
    }
    return better < limit ? first : NONE;
  }

  /** Whether a result comes before another one, as by {@link TrialResult#compareTo}. */
  private boolean comesBefore(int index, int other) {
    double key = keys[index];
    double otherKey = keys[other];
    return key < otherKey || (key == otherKey && trials[index] < trials[other]);
  }

  /** Indexes of results in no order. */
  private final class Pile {
    private int[] indexes = new int[INITIAL];
    int size;

    void add(int index) {
      if (size == indexes.length) {
        indexes = Arrays.copyOf(indexes, 2 * size);
      }
      indexes[size++] = index;
    }

    void moveBestToEnd(int count) {
      select(size - count, false);
    }

    void moveWorstToEnd(int count) {
      select(size - count, true);
    }

    /** Lets the results from a place on be the worst ones, or the best ones (Hoare's selection). */
    private void select(int from, boolean worstLast) {
      int low = 0;
      int high = size - 1;
      while (low < high) {
        int pivot = indexes[(low + high) >>> 1];
        int left = low;
        int right = high;
        while (left <= right) {
          while (isBefore(indexes[left], pivot, worstLast)) {
            left++;
          }
          while (isBefore(pivot, indexes[right], worstLast)) {
            right--;
          }
          if (left <= right) {
            int swapped = indexes[left];
            indexes[left++] = indexes[right];
            indexes[right--] = swapped;
          }
        }
        if (from <= right) {
          high = right;
        } else if (from >= left) {
          low = left;
        } else {
          return;
        }
      }
    }

    private boolean isBefore(int index, int other, boolean worstLast) {
      return worstLast ? comesBefore(index, other) : comesBefore(other, index);
    }
  }

  /** Indexes of results in their order; the keys are here, too, side by side. */
  private final class Heap {
    private int[] indexes = new int[INITIAL];
    private double[] keysOf = new double[INITIAL];
    int size;

    int first() {
      return indexes[0];
    }

    /** Compares results with equal keys. */
    private boolean isBefore(int index, int other) {
      return trials[index] < trials[other];
    }

    void add(int index) {
      if (size == indexes.length) {
        indexes = Arrays.copyOf(indexes, 2 * size);
        keysOf = Arrays.copyOf(keysOf, 2 * size);
      }
      rise(size++, index, keys[index]);
    }

    /** Puts a result at a free place or above it. */
    private void rise(int from, int index, double key) {
      double[] ownKeys = keysOf;
      int[] own = indexes;
      int place = from;
      while (place > 0) {
        int parent = (place - 1) >>> 1;
        double parentKey = ownKeys[parent];
        if (parentKey < key || (parentKey == key && !isBefore(index, own[parent]))) {
          break;
        }
        own[place] = own[parent];
        ownKeys[place] = parentKey;
        place = parent;
      }
      own[place] = index;
      ownKeys[place] = key;
    }

    void poll() {
      double[] ownKeys = keysOf;
      int[] own = indexes;
      int last = --size;
      int place = 0;
      int child = 1;
      // The free place sinks to the end, and the last result rises from there: it is rarely better.
      while (child < last) {
        int right = child + 1;
        if (right < last) {
          double childKey = ownKeys[child];
          double rightKey = ownKeys[right];
          if (rightKey < childKey || (rightKey == childKey && isBefore(own[right], own[child]))) {
            child = right;
          }
        }
        own[place] = own[child];
        ownKeys[place] = ownKeys[child];
        place = child;
        child = 2 * place + 1;
      }
      rise(place, own[last], ownKeys[last]);
    }
  }
}
