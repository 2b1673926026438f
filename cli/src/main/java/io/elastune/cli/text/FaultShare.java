package io.elastune.cli.text;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Problem;
import io.elastune.core.time.Durations;
import io.elastune.inputs.MeanDifference;
import io.elastune.inputs.NoteSampling;
import io.elastune.inputs.PlanFigures;

/**
 * The part of a prediction that is caused by faults: the difference between two simulations of a
 * plan with the same random numbers, with and without faults. It is negative where faults shorten a
 * run, because slow instances are replaced.
 *
 * @param seconds mean seconds of the completion time
 * @param usd mean cost in USD
 * @param timeShare fraction of the mean completion time
 * @param costShare fraction of the mean cost
 */
public record FaultShare(double seconds, double usd, double timeShare, double costShare) {
  /** A negative share that may be the error of the samples. */
  private static final double NEGLIGIBLE = 0.005;

  /** Returns the part of faults in the prediction of the plan of {@code figures}. */
  public static FaultShare of(Problem problem, PlanFigures figures, NoteSampling sampling) {
    Estimate with = figures.compared(sampling);
    MeanDifference caused = figures.differenceTo(problem.withoutFaults(), sampling);
    return new FaultShare(
        caused.seconds(),
        caused.usd(),
        fraction(caused.seconds(), with.completionS().mean()),
        fraction(caused.usd(), with.costUsd().mean()));
  }

  /** Returns the part of the mean time in words. */
  public String time() {
    return timeShare < -NEGLIGIBLE
        ? "a mean time that is " + Durations.format(-seconds) + " shorter"
        : Durations.format(Math.max(0, seconds)) + " of the mean time";
  }

  /** Returns the part of the mean cost in words. */
  public String cost() {
    return costShare < -NEGLIGIBLE
        ? "a mean cost that is " + UsdFormat.format(-usd) + " lower"
        : UsdFormat.format(Math.max(0, usd)) + " of the mean cost";
  }

  private static double fraction(double part, double whole) {
    return whole > 0 ? part / whole : 0;
  }
}
