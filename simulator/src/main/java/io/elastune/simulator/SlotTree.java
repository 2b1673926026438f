package io.elastune.simulator;

import io.elastune.core.allocation.FreeSlot;

/**
 * The slots of a group, the next one to get a trial first ({@link FreeSlot#order}): a tree of
 * losers (Knuth, TAOCP vol. 3, 5.4.1). A match at every inner node; the loser stays there, the
 * winner moves up. A slot that got a trial replays the matches on its way to the root, one per
 * level, and no step of that depends on how the one before went: no branch to mispredict.
 */
final class SlotTree {
  // By inner node, the root 1. The leaf of slot s is node s + count.
  private final long[] loserFree;
  private final int[] loser;
  private final int[] winner;
  private int count;
  private long firstFree;
  private int first;

  /** A tree for up to {@code most} slots. */
  SlotTree(int most) {
    loserFree = new long[most];
    loser = new int[most];
    winner = new int[most];
  }

  /** Plays all matches between slots 0 to {@code slots − 1}, which are free at {@code freeS}. */
  void form(double[] freeS, int slots) {
    count = slots;
    for (int node = slots - 1; node > 0; node--) {
      int left = winnerAt(2 * node);
      int right = winnerAt(2 * node + 1);
      long leftFree = Double.doubleToRawLongBits(freeS[left]);
      long rightFree = Double.doubleToRawLongBits(freeS[right]);
      boolean leftWins = FreeSlot.order(leftFree, left, rightFree, right) < 0;
      winner[node] = leftWins ? left : right;
      loser[node] = leftWins ? right : left;
      loserFree[node] = leftWins ? rightFree : leftFree;
    }
    first = winnerAt(1);
    firstFree = Double.doubleToRawLongBits(freeS[first]);
  }

  private int winnerAt(int node) {
    return node < count ? winner[node] : node - count;
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
