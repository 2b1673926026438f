package io.elastune.inputs;

import io.elastune.core.allocation.CheckpointSchedule;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import java.util.LinkedHashMap;
import java.util.Map;

/** Determines how often the trials of a plan save checkpoints, if Elastune decides this. */
public final class CheckpointIntervals {
  private CheckpointIntervals() {}

  /**
   * Returns the units between two checkpoints by group; 0 for a checkpoint at the end of the group
   * only. Empty if trials save as they like.
   */
  public static Map<String, Integer> of(Problem problem, Plan plan) {
    Map<String, Integer> intervals = new LinkedHashMap<>();
    if (plan.shared()) {
      return intervals; // the trials of a pool save as they like
    }
    for (TrialGroup group : problem.workload().groups()) {
      Offer offer = problem.offer(plan.of(group).offer()).orElseThrow();
      CheckpointSchedule schedule =
          CheckpointSchedule.of(group, offer, problem.profile(offer).orElseThrow(), plan.of(group));
      if (schedule.decided()) {
        intervals.put(group.name(), schedule.every());
      }
    }
    return intervals;
  }
}
