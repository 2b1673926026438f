package io.elastune.core.plan;

import io.elastune.core.Preconditions;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A plan: one allocation for every trial group.
 *
 * @param hold whether no instance is released before the end of the last group (a static cluster)
 * @param shared whether all chains use one pool of instances (docs/searches.md, "Shared
 *     instances"); otherwise each has its own
 * @param allocations allocations by group name, in the order of the workload
 */
public record Plan(boolean hold, boolean shared, Map<String, Allocation> allocations) {
  /** Creates a plan in which each chain has its own instances. */
  public Plan(boolean hold, Map<String, Allocation> allocations) {
    this(hold, false, allocations);
  }

  public Plan {
    allocations = Collections.unmodifiableMap(new LinkedHashMap<>(allocations));
    Preconditions.that(!allocations.isEmpty(), "a plan must allocate at least one group");
  }

  /** Returns the allocation of {@code group}. */
  public Allocation of(TrialGroup group) {
    Allocation allocation = allocations.get(group.name());
    if (allocation == null) {
      throw new IllegalArgumentException("the plan has no allocation for group " + group.name());
    }
    return allocation;
  }

  /** Returns this plan with another allocation for one group. */
  public Plan with(String group, Allocation allocation) {
    Map<String, Allocation> changed = new LinkedHashMap<>(allocations);
    changed.put(group, allocation);
    return new Plan(hold, shared, changed);
  }
}
