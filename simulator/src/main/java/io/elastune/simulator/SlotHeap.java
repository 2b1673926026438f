package io.elastune.simulator;

import io.elastune.core.allocation.FreeSlot;

/** The slots of a group, the next one to get a trial first ({@link FreeSlot#before}). */
final class SlotHeap {
  private final double[] freeS;
  private final int[] rank;
  private int size;

  /** A heap for up to {@code most} slots. */
  SlotHeap(int most) {
    freeS = new double[most];
    rank = new int[most];
  }

  void clear() {
    size = 0;
  }

  /** Adds a slot without a look at the order; {@link #order} must follow. */
  void append(double free, int slotRank) {
    freeS[size] = free;
    rank[size++] = slotRank;
  }

  /** Puts the slots appended into order. */
  void order() {
    for (int i = size / 2 - 1; i >= 0; i--) {
      sink(i, freeS[i], rank[i]);
    }
  }

  /** Adds a slot in order. */
  void add(double free, int slotRank) {
    int at = size++;
    while (at > 0) {
      int parent = (at - 1) / 2;
      if (!FreeSlot.before(free, slotRank, freeS[parent], rank[parent])) {
        break;
      }
      freeS[at] = freeS[parent];
      rank[at] = rank[parent];
      at = parent;
    }
    freeS[at] = free;
    rank[at] = slotRank;
  }

  /** When the next slot is free. */
  double firstFreeS() {
    return freeS[0];
  }

  /** The rank of the next slot. */
  int firstRank() {
    return rank[0];
  }

  /** Gives the next slot a trial that ends at {@code untilS}. */
  void occupyFirst(double untilS) {
    sink(0, untilS, rank[0]);
  }

  private void sink(int hole, double free, int slotRank) {
    int at = hole;
    int child = 2 * at + 1;
    while (child < size) {
      if (child + 1 < size
          && FreeSlot.before(freeS[child + 1], rank[child + 1], freeS[child], rank[child])) {
        child++;
      }
      if (!FreeSlot.before(freeS[child], rank[child], free, slotRank)) {
        break;
      }
      freeS[at] = freeS[child];
      rank[at] = rank[child];
      at = child;
      child = 2 * at + 1;
    }
    freeS[at] = free;
    rank[at] = slotRank;
  }
}
