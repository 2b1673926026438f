package io.elastune.core.allocation;

/**
 * A slot and the time from which it is free. The natural order is that of list scheduling: the next
 * waiting trial starts on the smallest slot.
 *
 * @param freeS seconds from the start of the plan
 * @param instance the instance's number; for a team, the lowest number of its members
 * @param slot the slot's number on that instance
 */
public record FreeSlot(double freeS, int instance, int slot) implements Comparable<FreeSlot> {
  /**
   * Returns whether slot {@code a} gets a trial before slot {@code b}: the slot that is free
   * earlier comes first, and among equal times the lower rank. Ranks follow (instance number, slot
   * number), so trials are packed.
   */
  public static boolean before(double freeA, int rankA, double freeB, int rankB) {
    return order(bits(freeA), rankA, bits(freeB), rankB) < 0;
  }

  /**
   * Compares two slots by their times as bits ({@link Double#doubleToRawLongBits}); the order is
   * the same because no time is negative. Returns a negative number if {@code a} comes first and a
   * positive number if {@code b} does. There is no branch that depends on the times, because this
   * comparison dominates the simulation time.
   */
  public static long order(long freeA, int rankA, long freeB, int rankB) {
    long byFree = freeA - freeB;
    return byFree == 0 ? rankA - rankB : byFree;
  }

  private static long bits(double timeS) {
    // Adding 0 converts a negative zero to a positive one.
    return Double.doubleToRawLongBits(timeS + 0.0);
  }

  @Override
  public int compareTo(FreeSlot other) {
    int byRank =
        instance == other.instance
            ? Integer.compare(slot, other.slot)
            : Integer.compare(instance, other.instance);
    if (freeS == other.freeS) {
      return byRank;
    }
    return before(freeS, byRank, other.freeS, 0) ? -1 : 1;
  }
}
