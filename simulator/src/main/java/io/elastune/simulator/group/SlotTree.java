package io.elastune.simulator.group;

import io.elastune.core.allocation.FreeSlot;

/**
 * A priority queue of the slots of a group in list-scheduling order ({@link FreeSlot#order}), as a
 * tree of losers (Knuth, TAOCP vol. 3, 5.4.1). Every inner node stores the loser of a comparison;
 * the winner moves up. When a slot gets a trial, only the comparisons on its path to the root are
 * repeated, one per level. They contain no unpredictable branch.
 */
final class SlotTree {
  // By node; the root is node 1 and the leaf of slot s is node s + count. An inner node has the
  // loser
  // of its comparison; a leaf has the slot as of the creation of the tree.
  private final long[] loserFree;
  private final int[] loser;
  // By node, the winner of its comparison; used only while the tree is created.
  private final long[] winnerFree;
  private final int[] winner;
  private int count;
  private long firstFree;
  private int first;

  /** Creates a tree for up to {@code most} slots. */
  SlotTree(int most) {
    loserFree = new long[most];
    loser = new int[most];
    winnerFree = new long[2 * most];
    winner = new int[2 * most];
  }

  /** Builds the tree for slots 0 to {@code slots − 1}, which are free at {@code freeS}. */
  void build(double[] freeS, int slots) {
    count = slots;
    for (int slot = 0; slot < slots; slot++) {
      winnerFree[slots + slot] = Double.doubleToRawLongBits(freeS[slot]);
      winner[slots + slot] = slot;
    }
    for (int node = slots - 1; node > 0; node--) {
      long leftFree = winnerFree[2 * node];
      long rightFree = winnerFree[2 * node + 1];
      int left = winner[2 * node];
      int right = winner[2 * node + 1];
      // All bits are 1 if the right child comes first.
      long swap = FreeSlot.order(rightFree, right, leftFree, left) >> (Long.SIZE - 1);
      long freeDelta = (leftFree ^ rightFree) & swap;
      int slotDelta = (left ^ right) & (int) swap;
      winnerFree[node] = leftFree ^ freeDelta;
      winner[node] = left ^ slotDelta;
      loserFree[node] = rightFree ^ freeDelta;
      loser[node] = right ^ slotDelta;
    }
    first = winner[1];
    firstFree = winnerFree[1];
  }

  /** Returns when the next slot is free. */
  double firstFreeS() {
    return Double.longBitsToDouble(firstFree);
  }

  /** Returns the next slot. */
  int first() {
    return first;
  }

  /** Assigns a trial that ends at {@code untilS} to the next slot. */
  void occupyFirst(double untilS) {
    int slot = first;
    long free = Double.doubleToRawLongBits(untilS);
    for (int node = (slot + count) >>> 1; node > 0; node >>>= 1) {
      long otherFree = loserFree[node];
      int other = loser[node];
      // All bits are 1 if the slot at the node comes first; the two are then swapped.
      long swap = FreeSlot.order(otherFree, other, free, slot) >> (Long.SIZE - 1);
      long freeDelta = (otherFree ^ free) & swap;
      int slotDelta = (other ^ slot) & (int) swap;
      loserFree[node] = otherFree ^ freeDelta;
      loser[node] = other ^ slotDelta;
      free ^= freeDelta;
      slot ^= slotDelta;
    }
    first = slot;
    firstFree = free;
  }
}
