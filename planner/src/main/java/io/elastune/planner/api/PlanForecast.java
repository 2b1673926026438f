package io.elastune.planner.api;

import io.elastune.core.plan.Plan;
import io.elastune.simulator.sample.JointSamples;
import java.util.stream.DoubleStream;

/**
 * A plan for the rest of a run, with its forecast.
 *
 * @param plan an allocation for every remaining group
 * @param meanS mean seconds from the start of the run until it completes
 * @param safeS the same, with the required confidence
 * @param costUsd mean dollars of the run as a whole
 * @param safeUsd the same, with the required confidence
 */
public record PlanForecast(Plan plan, double meanS, double safeS, double costUsd, double safeUsd) {
  /** Returns the forecast by samples of the whole run. */
  public static PlanForecast of(Plan plan, JointSamples samples, double confidence) {
    return new PlanForecast(
        plan,
        DoubleStream.of(samples.completionS()).average().orElseThrow(),
        samples.safeDeadlineS(confidence),
        DoubleStream.of(samples.costUsd()).average().orElseThrow(),
        samples.safeBudgetUsd(confidence));
  }
}
