package io.elastune.executor.decision.model;

import java.time.Instant;
import java.util.OptionalDouble;

/**
 * The best metric of a search so far, and what has happened since without an improvement.
 *
 * @param metric the best metric; empty before the first one
 * @param trial the trial that reported it
 * @param since when it was reported, or when the run was resumed since
 * @param trials fully trained trials since then that were no improvement
 */
public record SearchPlateau(OptionalDouble metric, int trial, Instant since, int trials) {
  /** No trial has reported a metric. */
  public static final SearchPlateau NONE =
      new SearchPlateau(OptionalDouble.empty(), 0, Instant.EPOCH, 0);

  /** Returns the state after an improvement. */
  public static SearchPlateau improved(double metric, int trial, Instant at) {
    return new SearchPlateau(OptionalDouble.of(metric), trial, at, 0);
  }

  /** Returns the state after another trial was fully trained; the best one itself is none. */
  public SearchPlateau trained(int other) {
    return metric.isEmpty() || other == trial
        ? this
        : new SearchPlateau(metric, trial, since, trials + 1);
  }

  /** Returns the state when another controller continues: the time without one does not count. */
  public SearchPlateau resumed(Instant at) {
    return metric.isEmpty() ? this : new SearchPlateau(metric, trial, at, trials);
  }
}
