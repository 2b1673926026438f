package io.elastune.core.policy;

import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The state of Fluid in one trial group. Its collections are not copied, because a policy decides
 * after every event: they must not change any more.
 *
 * @param group the group; empty before the first one
 * @param widths the width of each trial that was issued
 * @param unfinished tasks that had not ended
 * @param hasFreed whether a task has ended and running tasks were not considered since, because
 *     others waited
 * @param candidates running trials that may change their width at their next end of a unit
 */
public record FluidState(
    String group,
    SortedMap<Integer, Width> widths,
    int unfinished,
    boolean hasFreed,
    SortedSet<Integer> candidates)
    implements PolicyState {
  /** The state before the first group. */
  static final FluidState INITIAL = new FluidState("", new TreeMap<>(), 0, false, new TreeSet<>());

  public FluidState {
    widths = Collections.unmodifiableSortedMap(widths);
    candidates = Collections.unmodifiableSortedSet(candidates);
  }

  /** Returns the state after the task of a trial has ended. */
  FluidState without(int trial) {
    SortedMap<Integer, Width> others = new TreeMap<>(widths);
    others.remove(trial);
    SortedSet<Integer> left = new TreeSet<>(candidates);
    left.remove(trial);
    return new FluidState(group, others, unfinished, true, left);
  }
}
