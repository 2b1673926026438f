package io.elastune.core.plan;

import io.elastune.core.IntRange;
import io.elastune.core.Preconditions;
import java.util.Optional;

/**
 * A trial group: trials that are each trained for the same number of units and end at a common
 * barrier.
 *
 * @param name "1", "2", … in a single chain; "a.1", "a.2", "b.1", … in several
 * @param trials number of trials
 * @param fromUnit units that each trial has completed when the group starts
 * @param toUnit units that each trial has completed when the group ends; above {@code fromUnit}
 * @param fromScratch whether each trial is trained from unit 0 again, because it cannot resume
 * @param saves the units between two checkpoints that trials support, if Elastune decides when they
 *     save; empty if they save as they like
 */
public record TrialGroup(
    String name,
    int trials,
    int fromUnit,
    int toUnit,
    boolean fromScratch,
    Optional<IntRange> saves) {
  public TrialGroup {
    Preconditions.text("group", name);
    Preconditions.atLeast("trials", 1, trials);
    Preconditions.atLeast("fromUnit", 0, fromUnit);
    Preconditions.atLeast("toUnit", fromUnit + 1, toUnit);
  }

  /** Creates a group whose trials resume from their checkpoints. */
  public TrialGroup(String name, int trials, int fromUnit, int toUnit) {
    this(name, trials, fromUnit, toUnit, false);
  }

  /** Creates a group whose trials save checkpoints as they like. */
  public TrialGroup(String name, int trials, int fromUnit, int toUnit, boolean fromScratch) {
    this(name, trials, fromUnit, toUnit, fromScratch, Optional.empty());
  }

  /** Returns the same training of other trials and units. */
  public TrialGroup with(int otherTrials, int from, int to) {
    return new TrialGroup(name, otherTrials, from, to, fromScratch, saves);
  }

  /** Returns the units that each trial is trained in this group. */
  public int units() {
    return fromScratch ? toUnit : toUnit - fromUnit;
  }

  /** Returns the unit from which a trial is trained whose newest checkpoint is {@code unit}. */
  public int resumeUnit(int unit) {
    return fromScratch ? 0 : Math.min(unit, toUnit - 1);
  }
}
