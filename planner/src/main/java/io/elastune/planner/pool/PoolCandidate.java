package io.elastune.planner.pool;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.TrialGroup;
import io.elastune.planner.model.OfferChoice;
import io.elastune.planner.model.TimeAndCost;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A plan whose chains share instances, with its completion time and cost for mean durations.
 *
 * @param gpus GPUs per trial of each group, chain by chain
 */
public record PoolCandidate(
    OfferChoice offer, int instances, List<Integer> gpus, double completionS, double costUsd)
    implements TimeAndCost {
  public PoolCandidate {
    gpus = List.copyOf(gpus);
  }

  public Plan plan(List<TrialGroup> groups, boolean hold) {
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    for (int i = 0; i < groups.size(); i++) {
      allocations.put(
          groups.get(i).name(), new Allocation(offer.offer().name(), instances, gpus.get(i), 1));
    }
    return new Plan(hold, true, allocations);
  }
}
