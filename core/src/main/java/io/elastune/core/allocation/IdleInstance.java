package io.elastune.core.allocation;

import java.util.Collection;
import java.util.List;

/**
 * A held instance and the time from which it can get no further trial of the current group. The
 * natural order is the order in which surplus instances are released, each at its idle time.
 *
 * @param idleS seconds from the start of the plan
 * @param ready whether the instance is ready at that time
 * @param instance the instance's number
 */
public record IdleInstance(double idleS, boolean ready, int instance)
    implements Comparable<IdleInstance> {
  /**
   * Returns when an instance becomes idle for a group: {@code max(end of its last trial or the
   * group's start, start of the group's last-started trial)}. All members of a team share the
   * team's idle time.
   *
   * @param lastEndS end of its last trial in this group; the group's start if it had none
   * @param lastStartS start of the group's last-started trial
   */
  public static double idleS(double lastEndS, double lastStartS) {
    return Math.max(lastEndS, lastStartS);
  }

  /**
   * Returns whether {@code a} is released before {@code b}: the earlier idle time first; among
   * equal times, instances that are not ready first, then the higher number.
   */
  public static boolean before(
      double idleA, boolean readyA, int instanceA, double idleB, boolean readyB, int instanceB) {
    if (idleA != idleB) {
      return idleA < idleB;
    }
    return readyA == readyB ? instanceA > instanceB : readyB;
  }

  /**
   * Returns the number of instances to release when {@code held} are held and the next group needs
   * {@code need}.
   */
  public static int surplus(int held, int need) {
    return Math.max(0, held - need);
  }

  /** Returns the instances of {@code held} that the next group does not need, in release order. */
  public static List<IdleInstance> released(Collection<IdleInstance> held, int need) {
    return held.stream().sorted().limit(surplus(held.size(), need)).toList();
  }

  @Override
  public int compareTo(IdleInstance other) {
    if (idleS == other.idleS && ready == other.ready && instance == other.instance) {
      return 0;
    }
    return before(idleS, ready, instance, other.idleS, other.ready, other.instance) ? -1 : 1;
  }
}
