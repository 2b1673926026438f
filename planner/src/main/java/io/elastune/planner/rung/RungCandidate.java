package io.elastune.planner.rung;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Workload;
import io.elastune.planner.model.OfferChoice;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A plan of a search made of rungs.
 *
 * @param open instances while new trials may start
 * @param openGpus GPUs of a trial that starts then
 * @param closing instances that are kept at most when no new trial starts
 * @param closingGpus GPUs of a trial that starts then
 */
public record RungCandidate(
    OfferChoice offer, int open, int openGpus, int closing, int closingGpus) {
  /** Returns the same sizes with other instances, which both phases may use. */
  RungCandidate withInstances(int instances) {
    return new RungCandidate(offer, instances, openGpus, instances, closingGpus);
  }

  public Plan plan(boolean hold) {
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    String name = offer.offer().name();
    allocations.put(Workload.OPEN, new Allocation(name, open, openGpus, 1));
    allocations.put(Workload.CLOSING, new Allocation(name, closing, closingGpus, 1));
    return new Plan(hold, allocations);
  }
}
