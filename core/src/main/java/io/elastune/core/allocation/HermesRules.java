package io.elastune.core.allocation;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import java.util.List;
import java.util.function.Consumer;

/**
 * Checks plans of a cluster that Hermes divides among trials (docs/searches.md, "Hermes"): each
 * trial has one GPU.
 *
 * @param fault receives each fault
 */
record HermesRules(Problem problem, Plan plan, Consumer<PlanFault> fault) {

  void check(String offer) {
    List<TrialGroup> groups = problem.workload().groups();
    if (problem.workload().rungs().isPresent() || groups.size() > 1) {
      add("", "policy", "hermes works with random and grid, which have one trial group");
    }
    problem
        .offer(offer)
        .filter(one -> !isPossible(one))
        .ifPresent(
            one ->
                add(
                    "",
                    "policy",
                    "hermes trains each trial on one GPU, which job and profile do not allow on "
                        + offer));
    for (TrialGroup group : groups) {
      Allocation allocation = plan.of(group);
      if (allocation.gpusPerTrial() != 1 || allocation.trialsPerGpu() != 1) {
        add(
            group.name(),
            "gpus_per_trial",
            "must be 1 with policy hermes, and trials_per_gpu, too");
      }
    }
  }

  private boolean isPossible(Offer offer) {
    return FluidRules.sizes(problem, offer).contains(1);
  }

  private void add(String group, String field, String message) {
    fault.accept(new PlanFault(group, field, message));
  }
}
