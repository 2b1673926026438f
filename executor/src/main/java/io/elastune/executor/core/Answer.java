package io.elastune.executor.core;

import io.elastune.core.plan.Allocation;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a planner says to a {@link Question}.
 *
 * @param stay what becomes of the run if it goes on as it does; empty if it cannot
 * @param move what it could do instead; empty if there is nothing else
 */
public record Answer(Optional<Prediction> stay, Optional<Move> move) {
  /** Nobody knows. */
  public static final Answer NONE = new Answer(Optional.empty(), Optional.empty());

  /**
   * What is predicted of the run as a whole.
   *
   * @param completionS seconds from its beginning, with the confidence asked for where there is a
   *     deadline, else in the mean
   * @param costUsd mean dollars
   */
  public record Prediction(double completionS, double costUsd, Hope hope, boolean inBudget) {}

  /** Whether the deadline will be kept; the better the later. */
  public enum Hope {
    /** Not even in the mean. */
    LATE,
    /** In the mean, but with less than the confidence asked for. */
    LIKELY,
    /** With the confidence asked for, or there is no deadline. */
    ON_TIME
  }

  /**
   * Another way to go on.
   *
   * @param allocations by group: of all that are left, or of those that have not started
   */
  public record Move(Prediction prediction, Map<String, Allocation> allocations) {
    public Move {
      allocations = Collections.unmodifiableMap(new TreeMap<>(allocations));
    }
  }
}
