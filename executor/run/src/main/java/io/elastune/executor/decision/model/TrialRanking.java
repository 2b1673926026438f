package io.elastune.executor.decision.model;

import io.elastune.core.job.Metric;
import java.util.Comparator;

/**
 * The order of trials: better metric first, ties by lower trial number. Trials whose metric is
 * missing, NaN or infinite are last.
 */
public final class TrialRanking {
  private TrialRanking() {}

  /** Returns the order in which trials are promoted. */
  public static Comparator<TrialState> order(Metric.Goal goal) {
    Comparator<TrialState> byMetric = Comparator.comparingDouble(trial -> loss(trial, goal));
    return byMetric.thenComparing(TrialState::trial);
  }

  /** Less is better. NaN sorts after infinity, so it is last. */
  private static double loss(TrialState trial, Metric.Goal goal) {
    if (!trial.hasValue()) {
      return Double.NaN;
    }
    double metric = trial.metric().orElseThrow();
    return goal == Metric.Goal.MAXIMIZE ? 0.0 - metric : metric + 0.0;
  }
}
