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
    return limits.deadlineS().isPresent()
        ? gain(point.completionS(), point.costUsd(), seconds, usd)
        : gain(point.costUsd(), point.completionS(), usd, seconds);
  }

  /**
   * Returns the gain of a plan over another one: the fraction that it saves of one figure, less
   * {@value #EXTRA_WEIGHT} times the fraction by which it has more of the other.
   *
   * @param saved the figure that is to be saved, time or cost
   * @param extra the other figure
   * @param thanSaved the first figure of the other plan
   * @param thanExtra its second figure
   */
  public static double gain(double saved, double extra, double thanSaved, double thanExtra) {
    double more = thanExtra > 0 ? extra / thanExtra - 1 : extra > 0 ? Double.MAX_VALUE : 0;
    return (thanSaved > 0 ? 1 - saved / thanSaved : 0) - EXTRA_WEIGHT * Math.max(0, more);
  }
}
