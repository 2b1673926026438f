package io.elastune.simulator;

import io.elastune.core.allocation.FreeSlot;

/**
 * The slots of a group, the next one to get a trial first ({@link FreeSlot#order}): a tree of
 * losers (Knuth, TAOCP vol. 3, 5.4.1). A match at every inner node; the loser stays there, the
 * winner moves up. A slot that got a trial replays the matches on its way to the root, one per
 * level, and no step of that depends on how the one before went: no branch to mispredict.
 */
final class SlotTree {
  // By node, the root 1, the leaf of slot s node s + count: at an inner node the loser of its
  // match,
  // at a leaf the slot as it was when the tree was formed.
  private final long[] loserFree;
  private final int[] loser;
  // By node, who won its match: needed only while the tree is formed.
  private final long[] winnerFree;
  private final int[] winner;
  private int count;
  private long firstFree;
  private int first;

  /** A tree for up to {@code most} slots. */
  SlotTree(int most) {
    loserFree = new long[most];
    loser = new int[most];
    winnerFree = new long[2 * most];
    winner = new int[2 * most];
  }

  /** Plays all matches between slots 0 to {@code slots − 1}, which are free at {@code freeS}. */
  void form(double[] freeS, int slots) {
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
      // All ones if the right one comes first.
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

  /** When the next slot is free. */
  double firstFreeS() {
    return Double.longBitsToDouble(firstFree);
  }

  /** The next slot. */
  int first() {
    return first;
  }

  /** Gives the next slot a trial that ends at {@code untilS}. */
  void occupyFirst(double untilS) {
    int slot = first;
    long free = Double.doubleToRawLongBits(untilS);
    for (int node = (slot + count) >>> 1; node > 0; node >>>= 1) {
      long otherFree = loserFree[node];
      int other = loser[node];
      // All ones if the one at the node comes first, and they swap places.
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
