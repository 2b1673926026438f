package io.elastune.executor.rehearsal;

import io.elastune.core.search.LearningCurves;
import io.elastune.executor.engine.AttemptSpec;
import java.util.Map;

/**
 * The part of a simulated training that follows learning curves: metrics, and durations where they
 * are recorded (docs/searches.md, "Known ranks, learning curves and events"). A trial that
 * continues another one follows its curve.
 */
final class CurveTraining {
  private LearningCurves curves;

  CurveTraining(LearningCurves curves) {
    this.curves = curves;
  }

  /**
   * Returns the duration of the units of an attempt relative to the profile.
   *
   * @param drawn the same for units without recorded seconds
   * @param unitOnOneGpuS seconds per unit on one GPU by the profile; NaN if unknown
   */
  double factor(AttemptSpec attempt, double drawn, double unitOnOneGpuS) {
    attempt
        .shared()
        .parent()
        .ifPresent(parent -> curves = curves.inherit(attempt.trial(), parent.trial()));
    LearningCurves.Work work = curves.work(attempt.trial(), attempt.from(), attempt.to());
    double recorded = work.recordedS() == 0 ? 0 : work.recordedS() / unitOnOneGpuS;
    return (recorded + work.otherUnits() * drawn) / (attempt.to() - attempt.from());
  }

  /** Returns the metric that a trial reports; none if its curve has none. */
  Map<String, Double> metrics(String metric, int trial, int unit) {
    double value = curves.metric(trial, unit);
    return Double.isNaN(value) ? Map.of() : Map.of(metric, value);
  }
}
