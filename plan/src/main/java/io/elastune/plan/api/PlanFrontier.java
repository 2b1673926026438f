package io.elastune.plan.api;

import java.util.List;

/**
 * The plans of which none is both faster and cheaper than another.
 *
 * @param feasible whether a plan meets the limits of the job
 * @param plans the plans, the fastest first
 * @param json the document of {@code elastune plan --frontier --json}
 */
public record PlanFrontier(boolean feasible, List<FrontierPlan> plans, String json) {
  public PlanFrontier {
    plans = List.copyOf(plans);
  }
}
