package io.elastune.planner.combine;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.planner.model.ChainCandidate;
import io.elastune.planner.model.TimeAndCost;
import io.elastune.planner.search.ChainSearch;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A plan for all chains, with its time and cost in the mean-value model.
 *
 * @param chainCandidates by chain
 */
public record JobCandidate(List<ChainCandidate> chainCandidates, double completionS, double costUsd)
    implements TimeAndCost {
  public JobCandidate {
    chainCandidates = List.copyOf(chainCandidates);
  }

  /** Orders plans with equal cost and time. */
  static int compareAllocations(JobCandidate a, JobCandidate b) {
    int order = 0;
    for (int chain = 0; chain < a.chainCandidates.size() && order == 0; chain++) {
      order =
          ChainCandidate.BY_ALLOCATIONS.compare(
              a.chainCandidates.get(chain), b.chainCandidates.get(chain));
    }
    return order;
  }

  Plan plan(List<ChainSearch> chains, boolean hold) {
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    for (int chain = 0; chain < chainCandidates.size(); chain++) {
      chains.get(chain).model().putInto(allocations, chainCandidates.get(chain));
    }
    return new Plan(hold, allocations);
  }
}
