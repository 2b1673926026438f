package io.elastune.simulator.group;

import java.util.Arrays;

/**
 * The slots with a next event, in the order of (time, trial, slot): a calendar queue (Brown,
 * "Calendar queues", 1988). The times of a group lie close together, so that each of the buckets
 * has few slots: adding and taking take constant time, whatever the number of slots. What is
 * further ahead is in a heap. Not thread-safe.
 */
final class SlotQueue {
  private static final int NONE = -1;

  private static final double LEAST_SPAN_S = 1e-9;

  /** Buckets of a queue that is full, by slot. */
  private static final int BUCKETS_PER_SLOT = 8;

  // By slot in a bucket: its time, its trial, and the slot after it in the bucket.
  private double[] timeS = {};
  private int[] trial = {};
  private int[] after = {};

  /** By bucket, again from the first one after the last: its first slot. */
  private int[] buckets = {};

  private int mask;
  private double originS;
  private double bucketsPerS;

  /** The bucket before which there is no slot; buckets have numbers from the origin on. */
  private int current;

  /** No slot is in a bucket after this one. */
  private int highest;

  /** Whether a slot may be in a later bucket than that of its time. */
  private boolean isPiled;

  private int inBuckets;
  private final TimedHeap later = new TimedHeap();

  /** The time of the first slot in the heap; infinite if there is none. */
  private double laterS = Double.POSITIVE_INFINITY;

  /** The slot with the next event, or {@link #NONE}. */
  private int first = NONE;

  private double firstS = Double.POSITIVE_INFINITY;

  /** Whether the next slot of the bucket of the first one may have an event at the same time. */
  private boolean isTied;

  private boolean isFirstLater;

  /**
   * Removes all slots.
   *
   * @param slots number of slots that it will have; more are possible, but take longer
   * @param atS the present time, before which there are no events
   * @param spanS most events follow within this time
   */
  void clear(int slots, double atS, double spanS) {
    int count = Integer.highestOneBit(Math.max(1, BUCKETS_PER_SLOT * slots - 1)) * 2;
    if (buckets.length < count) {
      buckets = new int[count];
    }
    Arrays.fill(buckets, 0, count, NONE);
    mask = count - 1;
    originS = atS;
    bucketsPerS = count / Math.max(spanS, LEAST_SPAN_S);
    current = 0;
    highest = 0;
    isPiled = false;
    inBuckets = 0;
    later.clear();
    laterS = Double.POSITIVE_INFINITY;
    findFirst();
  }

  boolean isEmpty() {
    return first == NONE;
  }

  /** Returns the time of the next event; infinite if there is none. */
  double firstS() {
    return firstS;
  }

  /** Returns the slot with the next event of a queue that is not empty. */
  int first() {
    return first;
  }

  /**
   * Whether another slot of a queue that is not empty may have an event at the time of the first.
   */
  boolean mayBeTied() {
    return isTied || laterS <= firstS;
  }

  /** Adds a slot. */
  void add(double atS, int ofTrial, int slot) {
    put(atS, ofTrial, slot);
    if (atS <= firstS) {
      findFirst();
    }
  }

  /** Takes the slot with the next event from a queue that is not empty. */
  int poll() {
    int taken = first;
    removeFirst();
    findFirst();
    return taken;
  }

  /** Gives the slot with the next event another event. */
  void replaceFirst(double atS, int ofTrial) {
    int slot = first;
    int number = (int) ((atS - originS) * bucketsPerS);
    int now = current;
    if (isFirstLater || number <= now || number - now >= mask) {
      removeFirst();
      put(atS, ofTrial, slot);
      findFirst();
      return;
    }
    int[] heads = buckets;
    int[] nexts = after;
    int last = mask;
    heads[now & last] = nexts[slot];
    timeS[slot] = atS;
    trial[slot] = ofTrial;
    highest = Math.max(highest, number);
    int place = number & last;
    if (heads[place] == NONE) {
      nexts[slot] = NONE;
      heads[place] = slot;
    } else {
      insert(place, atS, ofTrial, slot);
    }
    while (heads[now & last] == NONE) {
      now++;
    }
    current = now;
    int next = heads[now & last];
    first = next;
    firstS = timeS[next];
    isTied = nexts[next] != NONE && timeS[nexts[next]] == firstS;
    if (laterS <= firstS) {
      compareLater();
    }
  }

  /** Removes a slot. */
  void remove(int slot) {
    if (slot >= after.length || !removeFromBucket(slot)) {
      later.removeIf(one -> one == slot);
      laterS = later.firstS();
    }
    findFirst();
  }

  private boolean removeFromBucket(int slot) {
    // Before the current bucket, all are empty.
    int bucket = Math.max(current, (int) ((timeS[slot] - originS) * bucketsPerS)) & mask;
    int before = NONE;
    int one = buckets[bucket];
    while (one != NONE && one != slot) {
      before = one;
      one = after[one];
    }
    if (one == NONE) {
      return false;
    }
    if (before == NONE) {
      buckets[bucket] = after[one];
    } else {
      after[before] = after[one];
    }
    inBuckets--;
    return true;
  }

  private void put(double atS, int ofTrial, int slot) {
    int number = (int) ((atS - originS) * bucketsPerS);
    if (number - current >= mask) {
      later.add(atS, ofTrial, slot);
      laterS = later.firstS();
      return;
    }
    if (slot >= timeS.length) {
      int room = Math.max(slot + 1, 2 * timeS.length);
      timeS = Arrays.copyOf(timeS, room);
      trial = Arrays.copyOf(trial, room);
      after = Arrays.copyOf(after, room);
    }
    timeS[slot] = atS;
    trial[slot] = ofTrial;
    makeCurrent(number);
    insert(Math.max(current, number) & mask, atS, ofTrial, slot);
    highest = Math.max(highest, number);
    inBuckets++;
  }

  /**
   * Returns to an earlier bucket if the others follow within one round. Else what is added there
   * would be put in order in the current bucket, which takes long if there are many.
   */
  private void makeCurrent(int number) {
    if (number >= current) {
      return;
    }
    if (!isPiled && number >= 0 && highest - number < mask) {
      current = number;
    } else {
      isPiled = true;
    }
  }

  private void insert(int bucket, double atS, int ofTrial, int slot) {
    int before = NONE;
    int next = buckets[bucket];
    while (next != NONE && isBefore(next, atS, ofTrial)) {
      before = next;
      next = after[next];
    }
    after[slot] = next;
    isTied |= atS == firstS;
    if (before == NONE) {
      buckets[bucket] = slot;
    } else {
      after[before] = slot;
    }
  }

  private boolean isBefore(int slot, double atS, int ofTrial) {
    return timeS[slot] < atS || (timeS[slot] == atS && trial[slot] < ofTrial);
  }

  private void removeFirst() {
    if (isFirstLater) {
      var unused = later.poll();
      laterS = later.firstS();
    } else {
      buckets[current & mask] = after[first];
      inBuckets--;
    }
  }

  private void findFirst() {
    first = NONE;
    isTied = false;
    firstS = Double.POSITIVE_INFINITY;
    if (inBuckets > 0) {
      int[] heads = buckets;
      int last = mask;
      int number = current;
      while (heads[number & last] == NONE) {
        number++;
      }
      current = number;
      first = heads[number & last];
      firstS = timeS[first];
      isTied = after[first] != NONE && timeS[after[first]] == firstS;
    }
    compareLater();
  }

  /** Takes the first slot of the heap as the first one if its event comes before the others. */
  private void compareLater() {
    isFirstLater =
        laterS <= firstS
            && !later.isEmpty()
            && (first == NONE || later.isBefore(firstS, trial[first]));
    if (isFirstLater) {
      first = later.first();
      firstS = laterS;
    }
  }
}
