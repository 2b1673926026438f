package io.elastune.core.policy;

import io.elastune.core.Preconditions;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * What a user chooses of HyperSched. The rest follows from search and profile (docs/searches.md,
 * "HyperSched").
 *
 * @param resizeGain the least ratio of the training that a trial completes with more GPUs until the
 *     deadline
 * @param resizeAfter the least number of reports between two changes of the GPUs of a trial
 */
public record HyperSchedOptions(double resizeGain, int resizeAfter) implements PolicyOptions {
  /** The options of a user who chooses nothing. */
  public static final HyperSchedOptions DEFAULT = new HyperSchedOptions(1.1, 5);

  /** The reduction factor of a search without one. */
  public static final int DEFAULT_ETA = 4;

  public HyperSchedOptions {
    Preconditions.positive("resize_gain", resizeGain);
    Preconditions.atLeast("resize_after", 1, resizeAfter);
  }

  @Override
  public String word() {
    return "hypersched";
  }

  @Override
  public boolean preempts() {
    return true;
  }

  /**
   * Returns the rule for one search.
   *
   * @param targets the units at which trials are compared, ascending
   * @param sizes the GPUs per trial that job, offer and profile allow
   */
  public HyperSchedRule rule(List<Integer> targets, int eta, Collection<Integer> sizes) {
    return new HyperSchedRule(targets, eta, new TreeSet<>(sizes), resizeGain, resizeAfter);
  }
}
