package io.elastune.planner.api;

import io.elastune.core.plan.Limits;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Finds the knee of a frontier: the plan that is much faster than the cheapest plan for little more
 * money. Without a deadline it is the plan that is much cheaper than the fastest plan for little
 * more time.
 *
 * <p>The gain of a plan is the fraction of the time that it saves, less {@value #EXTRA_WEIGHT}
 * times the fraction by which it costs more (with time and cost exchanged if there is no deadline).
 * The knee is the plan with the highest gain, if its gain is at least {@value #MIN_GAIN}. So the
 * knee costs less than 20% more, and a frontier along which time and cost change in proportion has
 * no knee. docs/planner.md explains the rule.
 */
public final class Knee {
  private static final double EXTRA_WEIGHT = 4;
  private static final double MIN_GAIN = 0.2;

  private Knee() {}

  /**
   * Returns the knee, relative to the plan that was found.
   *
   * @param frontier known plans with their mean completion times and costs
   * @param seconds mean completion time of the plan that was found
   * @param usd mean cost of the plan that was found
   * @param limits the knee meets them with the required confidence
   */
  public static Optional<FrontierPoint> of(
      List<FrontierPoint> frontier, double seconds, double usd, Limits limits) {
    Comparator<FrontierPoint> byGain =
        Comparator.comparingDouble(point -> gain(point, seconds, usd, limits));
    return frontier.stream()
        .filter(point -> point.meets(limits))
        .filter(point -> gain(point, seconds, usd, limits) >= MIN_GAIN)
        .max(byGain);
  }

  private static double gain(FrontierPoint point, double seconds, double usd, Limits limits) {
    double time = 1 - point.completionS() / seconds;
    double cost = 1 - point.costUsd() / usd;
    return limits.deadlineS().isPresent()
        ? time + EXTRA_WEIGHT * Math.min(0, cost)
        : cost + EXTRA_WEIGHT * Math.min(0, time);
  }
}
