package io.elastune.core.search;

import java.util.Arrays;

/**
 * The results of one rung in one bracket, divided into the best ones and the others, in a {@link
 * RungRun}. A result is added in logarithmic time, where the sorted {@link RankedResults} of the
 * state of a run take linear time. Not thread-safe.
 */
final class RungRanking {
  private static final int NONE = -1;
  private static final int INITIAL = 8;

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

  /** The best results, the worst of them first. */
  private final Heap best = new Heap(true);

  /** The other results, the best of them first. */
  private final Heap others = new Heap(false);

  /** Results that were open and among the best, the best of them first; some are no more. */
  private final Heap queue = new Heap(false);

  private int open;

  RungRanking(int share, int least) {
    this.share = share;
    this.least = least;
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
    losses[index] = isFinite ? loss + 0.0 : Double.NaN;
    keys[index] = isFinite ? loss : Double.POSITIVE_INFINITY;
    trials[index] = trial;
    isPromoted[index] = promoted;
    isBest[index] = false;
    isQueued[index] = false;
    if (best.size > 0 && comesBefore(index, best.first())) {
      join(index);
    } else {
      others.add(index);
    }
    int most = Math.max(Math.min(least, size), size / share);
    while (best.size > most) {
      leave();
    }
    while (best.size < most) {
      join(others.poll());
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

  private void join(int index) {
    isBest[index] = true;
    best.add(index);
    if (isValid(index) && !isPromoted[index]) {
      open++;
      if (!isQueued[index]) {
        isQueued[index] = true;
        queue.add(index);
      }
    }
  }

  private void leave() {
    int index = best.poll();
    isBest[index] = false;
    others.add(index);
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

  /**
   * Indexes of results in the order of the results, or in the opposite one; the keys are here, too,
   * side by side.
   */
  private final class Heap {
    /** Keys are multiplied with it. */
    private final double sign;

    private int[] indexes = new int[INITIAL];
    private double[] keysOf = new double[INITIAL];
    int size;

    Heap(boolean isReversed) {
      this.sign = isReversed ? -1 : 1;
    }

    int first() {
      return indexes[0];
    }

    /** Compares results with equal keys. */
    private boolean isBefore(int index, int other) {
      return sign < 0 ? trials[other] < trials[index] : trials[index] < trials[other];
    }

    void add(int index) {
      if (size == indexes.length) {
        indexes = Arrays.copyOf(indexes, 2 * size);
        keysOf = Arrays.copyOf(keysOf, 2 * size);
      }
      rise(size++, index, sign * keys[index]);
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

    int poll() {
      double[] ownKeys = keysOf;
      int[] own = indexes;
      int first = own[0];
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
      return first;
    }
  }
}
