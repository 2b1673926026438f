package io.elastune.core.allocation;

/**
 * A slot and the moment from which it is free. The natural order is list scheduling's: the waiting
 * trial that is next gets the least slot.
 *
 * @param freeS seconds from the start of the plan
 * @param instance the instance's number; of a team the lowest of its members'
 * @param slot the slot's number on that instance
 */
public record FreeSlot(double freeS, int instance, int slot) implements Comparable<FreeSlot> {
  /**
   * Whether slot {@code a} gets a trial before slot {@code b}: the earlier free one, of equal ones
   * the lower rank, where ranks follow (instance number, slot number). So trials pack.
   */
  public static boolean before(double freeA, int rankA, double freeB, int rankB) {
    return order(bits(freeA), rankA, bits(freeB), rankB) < 0;
  }

  /**
   * The same for times as bits ({@link Double#doubleToRawLongBits}), whose order is the times' own,
   * for none is negative: below 0 if {@code a} comes first, above if {@code b} does. Without a
   * branch that depends on the times, for it decides most of what a simulation takes.
   */
  public static long order(long freeA, int rankA, long freeB, int rankB) {
    long byFree = freeA - freeB;
    return byFree == 0 ? rankA - rankB : byFree;
  }

  private static long bits(double timeS) {
    // Adding 0 makes a negative zero positive.
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
