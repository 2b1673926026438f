package io.elastune.executor.decision.model;

import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The failures of a run by cause, since it started or was last resumed.
 *
 * @param trials by {@link FailureCause#key}: the numbers of the trials that failed for this cause
 */
public record EqualFailures(SortedMap<String, SortedSet<Integer>> trials) {
  /** No attempt has failed. */
  public static final EqualFailures NONE = new EqualFailures(new TreeMap<>());

  public EqualFailures {
    trials = Collections.unmodifiableSortedMap(new TreeMap<>(trials));
  }

  /** Returns the state after another failure. */
  public EqualFailures with(FailureCause cause, int trial) {
    SortedMap<String, SortedSet<Integer>> all = new TreeMap<>(trials);
    SortedSet<Integer> equal = new TreeSet<>(of(cause));
    equal.add(trial);
    all.put(cause.key(), Collections.unmodifiableSortedSet(equal));
    return new EqualFailures(all);
  }

  /** Returns the trials that failed for a cause. */
  public SortedSet<Integer> of(FailureCause cause) {
    return trials.getOrDefault(cause.key(), Collections.emptySortedSet());
  }
}
