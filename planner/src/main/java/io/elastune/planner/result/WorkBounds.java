package io.elastune.planner.result;

import io.elastune.planner.api.Optimum;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.evaluate.PlanEvaluator.Evaluation;
import java.util.List;

/** Lower bounds of mean completion time and mean cost that count only the work. */
public interface WorkBounds {
  /** Returns the least mean seconds from the start to completion. */
  double shortestS();

  /** Returns the least mean cost in USD. */
  double leastUsd();

  /**
   * Returns how far a plan may be from the best one.
   *
   * @param minimizesCost whether the cheapest plan is sought, rather than the fastest
   * @param remark why the plan is not proven optimal
   */
  default OptimalityGap.Bounds of(Evaluation best, boolean minimizesCost, String remark) {
    double least = Math.min(leastUsd(), best.costUsd());
    double gap =
        minimizesCost
            ? OptimalityGap.gap(best.costUsd(), least)
            : OptimalityGap.gap(best.completionS(), shortestS());
    return new OptimalityGap.Bounds(
        new Optimum(least, gap, least, false, false),
        List.of(PlanResult.NOT_PROVEN + ": " + remark));
  }
}
