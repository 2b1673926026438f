package io.elastune.executor.decision.model;

import io.elastune.core.policy.FluidState;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What Fluid knows of the group in progress.
 *
 * @param paces by trial: how fast it was in this group; none before its first report
 */
public record FluidProgress(FluidState state, SortedMap<Integer, TrialPace> paces) {
  public FluidProgress {
    paces = Collections.unmodifiableSortedMap(new TreeMap<>(paces));
  }

  /** Returns the pace of a trial. */
  public TrialPace pace(int trial) {
    return paces.getOrDefault(trial, TrialPace.UNKNOWN);
  }

  /**
   * Returns the measured time of a unit of a trial relative to the predicted one; the expected one
   * before its first report in this group.
   */
  public double ratio(FluidDefinition fluid, int trial) {
    TrialPace known = paces.get(trial);
    return known == null ? fluid.factor(trial) : known.ratio();
  }

  /** Returns the progress with another state of the policy. */
  public FluidProgress with(FluidState other) {
    return new FluidProgress(other, paces);
  }

  /** Returns the progress after the task of a trial in a search without barriers. */
  public FluidProgress without(int trial) {
    SortedMap<Integer, TrialPace> others = new TreeMap<>(paces);
    others.remove(trial);
    return new FluidProgress(state, others);
  }

  /** Returns the progress with another pace of a trial. */
  public FluidProgress with(int trial, TrialPace pace) {
    SortedMap<Integer, TrialPace> others = new TreeMap<>(paces);
    others.put(trial, pace);
    return new FluidProgress(state, others);
  }
}
