package io.elastune.core.allocation;

import java.util.Collection;
import java.util.List;

/**
 * A held instance and the moment from which the group under way can give it no further trial. The
 * natural order is the one in which surplus instances are released, each at its moment.
 *
 * @param idleS seconds from the start of the plan
 * @param ready whether the instance is ready at that moment
 * @param instance its number
 */
public record IdleInstance(double idleS, boolean ready, int instance)
    implements Comparable<IdleInstance> {
  /**
   * When an instance becomes idle for a group: {@code max(end of its last trial or the group's
   * start, start of the group's last-started trial)}. All members of a team share the team's.
   *
   * @param lastEndS end of its last trial in this group; the group's start if it never got one
   * @param lastStartS start of the group's last-started trial
   */
  public static double idleS(double lastEndS, double lastStartS) {
    return Math.max(lastEndS, lastStartS);
  }

  /**
   * Whether {@code a} is released before {@code b}: idle earlier; of equal ones those not yet ready
   * go first, then the higher number.
   */
  public static boolean before(
      double idleA, boolean readyA, int instanceA, double idleB, boolean readyB, int instanceB) {
    if (idleA != idleB) {
      return idleA < idleB;
    }
    return readyA == readyB ? instanceA > instanceB : readyB;
  }

  /** Instances to release when {@code held} are held and the next group needs {@code need}. */
  public static int surplus(int held, int need) {
    return Math.max(0, held - need);
  }

  /** Those of {@code held} that the next group does not need, in the order of their release. */
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
