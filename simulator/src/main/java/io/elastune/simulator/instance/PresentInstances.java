package io.elastune.simulator.instance;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.RentedInstance;
import java.util.Comparator;
import java.util.List;

/**
 * The instances that a chain of a run in progress holds when its next group can begin. Of these,
 * the group keeps those that are ready first, as many as it needs; the others are released.
 *
 * @param held those that are ready first come first
 * @param fromS the mean time at which the group can begin, in seconds from the start of the run
 */
public record PresentInstances(List<RentedInstance> held, double fromS) {
  /** A chain that has not begun. */
  public static final PresentInstances NONE = new PresentInstances(List.of(), 0);

  public PresentInstances {
    held = held.stream().sorted(Comparator.comparingDouble(RentedInstance::readyS)).toList();
  }

  /** Returns how many of them, the first ones, a group keeps. */
  public int kept(Allocation allocation) {
    boolean isSame = !held.isEmpty() && held.get(0).offer().equals(allocation.offer());
    return isSame ? Math.min(held.size(), allocation.instances()) : 0;
  }
}
