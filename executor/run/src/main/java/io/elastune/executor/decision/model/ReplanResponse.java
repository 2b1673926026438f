package io.elastune.executor.decision.model;

import io.elastune.core.plan.Allocation;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The planner's response to a {@link ReplanRequest}.
 *
 * @param stay the prediction for the present plan; empty if the run cannot continue with it
 * @param move the best alternative; empty if there is none
 */
public record ReplanResponse(Optional<Prediction> stay, Optional<Move> move) {
  /** A new plan must be better by this fraction of the remaining cost or of the remaining time. */
  public static final double MIN_GAIN_FRACTION = 0.05;

  /** No prediction is available. */
  public static final ReplanResponse NONE = new ReplanResponse(Optional.empty(), Optional.empty());

  /**
   * The prediction for the whole run.
   *
   * @param completionS seconds from its start; with a deadline, at the required confidence,
   *     otherwise the mean
   * @param costUsd mean cost in USD
   * @param inBudget whether the budget covers the cost with the required confidence, and a reserve
   *     for a plan that costs more than the present one
   */
  public record Prediction(
      double completionS, double costUsd, DeadlineOutlook hope, boolean inBudget) {}

  /** Whether the deadline will be met; later constants are better. */
  public enum DeadlineOutlook {
    /** The mean completion time misses it. */
    LATE,
    /** The mean completion time meets it, but with less than the required confidence. */
    LIKELY,
    /** With the confidence asked for, or there is no deadline. */
    ON_TIME;

    /**
     * Returns the outlook of a completion time.
     *
     * @param safeS the completion time with the required confidence
     * @param meanS the mean completion time
     * @param deadlineS infinite if there is none
     */
    public static DeadlineOutlook of(double safeS, double meanS, double deadlineS) {
      if (safeS <= deadlineS) {
        return ON_TIME;
      }
      return meanS <= deadlineS ? LIKELY : LATE;
    }
  }

  /**
   * An alternative to the present plan.
   *
   * @param allocations by group: of all remaining groups, or of those that have not started
   */
  public record Move(Prediction prediction, Map<String, Allocation> allocations) {
    public Move {
      allocations = Collections.unmodifiableMap(new TreeMap<>(allocations));
    }
  }
}
