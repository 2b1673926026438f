package io.elastune.profiler.history;

import io.elastune.core.estimate.Distribution;
import java.time.Instant;
import java.util.OptionalDouble;

/**
 * The prediction of a plan as shown before its start, and what the run took.
 *
 * @param ended when the run ended
 * @param simulated whether it was executed in virtual time
 * @param completionS predicted seconds from confirmation to the end of the last group
 * @param costUsd predicted cost of the plan
 * @param actualS empty if the run did not complete
 * @param actualUsd cost of the run, without the profiling before it
 */
public record PastPrediction(
    String run,
    String job,
    Instant ended,
    boolean simulated,
    Figures completionS,
    Figures costUsd,
    OptionalDouble actualS,
    double actualUsd) {
  /** The figures of a prediction. */
  public record Figures(double mean, double p50, double p95) {
    /** Returns those of {@code distribution}. */
    public static Figures of(Distribution distribution) {
      return new Figures(distribution.mean(), distribution.p50(), distribution.p95());
    }
  }
}
