package io.elastune.core.plan;

import io.elastune.core.Preconditions;

/**
 * A trial group: trials that are each trained for the same number of units and end at a common
 * barrier.
 *
 * @param name "1", "2", … in a single chain; "a.1", "a.2", "b.1", … in several
 * @param trials number of trials
 * @param fromUnit units that each trial has completed when the group starts
 * @param toUnit units that each trial has completed when the group ends; above {@code fromUnit}
 */
public record TrialGroup(String name, int trials, int fromUnit, int toUnit) {
  public TrialGroup {
    Preconditions.text("group", name);
    Preconditions.atLeast("trials", 1, trials);
    Preconditions.atLeast("fromUnit", 0, fromUnit);
    Preconditions.atLeast("toUnit", fromUnit + 1, toUnit);
  }

  /** Returns the units that each trial is trained in this group. */
  public int units() {
    return toUnit - fromUnit;
  }
}
