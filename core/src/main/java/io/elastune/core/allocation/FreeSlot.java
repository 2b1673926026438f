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
    return freeA < freeB || (freeA == freeB && rankA < rankB);
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
