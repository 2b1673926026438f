package io.elastune.cli.text;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Problem;
import io.elastune.inputs.MeanDifference;
import io.elastune.inputs.NoteSampling;
import io.elastune.inputs.PlanFigures;

/**
 * The part of a prediction that is caused by faults: the difference between two simulations of a
 * plan with the same random numbers, with and without faults.
 *
 * @param seconds mean seconds of the completion time
 * @param usd mean cost in USD
 * @param timeShare fraction of the mean completion time
 * @param costShare fraction of the mean cost
 */
public record FaultShare(double seconds, double usd, double timeShare, double costShare) {
  /** Returns the part of faults in the prediction of the plan of {@code figures}. */
  public static FaultShare of(Problem problem, PlanFigures figures, NoteSampling sampling) {
    Estimate with = figures.compared(sampling);
    MeanDifference caused = figures.differenceTo(problem.withoutFaults(), sampling);
    double seconds = Math.max(0, caused.seconds());
    double usd = Math.max(0, caused.usd());
    return new FaultShare(
        seconds,
        usd,
        fraction(seconds, with.completionS().mean()),
        fraction(usd, with.costUsd().mean()));
  }

  private static double fraction(double part, double whole) {
    return whole > 0 ? part / whole : 0;
  }
}
