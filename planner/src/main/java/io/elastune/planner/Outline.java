package io.elastune.planner;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A plan for all chains, with its time and cost in the mean-value model.
 *
 * @param drafts by chain
 */
record Outline(List<Draft> drafts, double completionS, double costUsd) implements Timed {
  Outline {
    drafts = List.copyOf(drafts);
  }

  /** Orders plans with equal cost and time. */
  static int smaller(Outline a, Outline b) {
    int order = 0;
    for (int chain = 0; chain < a.drafts.size() && order == 0; chain++) {
      order = Draft.SMALLER.compare(a.drafts.get(chain), b.drafts.get(chain));
    }
    return order;
  }

  Plan plan(List<ChainSearch> chains, boolean hold) {
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    for (int chain = 0; chain < drafts.size(); chain++) {
      chains.get(chain).model().putInto(allocations, drafts.get(chain));
    }
    return new Plan(hold, allocations);
  }
}
