package io.elastune.core.allocation;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import java.util.function.Consumer;

/**
 * Checks a plan whose chains share instances: all groups use the same instances, and no trial uses
 * more than one of them (docs/searches.md, "Shared instances").
 */
final class PoolPlanRules {
  private final Problem problem;
  private final Consumer<PlanFault> fault;

  PoolPlanRules(Problem problem, Consumer<PlanFault> fault) {
    this.problem = problem;
    this.fault = fault;
  }

  /** Checks a plan that has all groups. */
  void check(Plan plan) {
    if (problem.workload().chains().size() == 1) {
      add("", "brackets", "must not be shared, because the search has one chain; omit it");
    }
    Allocation first = plan.of(problem.workload().groups().get(0));
    for (TrialGroup group : problem.workload().groups()) {
      check(group.name(), plan.of(group), first);
    }
  }

  private void check(String group, Allocation allocation, Allocation first) {
    if (!allocation.offer().equals(first.offer())) {
      add(
          group,
          "offer",
          "must be " + first.offer() + " in every group, because the chains share instances");
    }
    if (allocation.instances() != first.instances()) {
      add(
          group,
          "instances",
          "must be "
              + first.instances()
              + " in every group, not "
              + allocation.instances()
              + ", because the chains share instances");
    }
    int gpus = problem.offer(allocation.offer()).map(offer -> offer.gpus()).orElse(1);
    int most = Math.min(gpus, SlotCounts.MOST_SHARED_GPUS);
    if (allocation.gpusPerTrial() > most) {
      add(
          group,
          "gpus_per_trial",
          "must be at most "
              + most
              + " where chains share instances, not "
              + allocation.gpusPerTrial());
    }
    if (allocation.trialsPerGpu() > 1) {
      add(group, "trials_per_gpu", "must be 1 where chains share instances; omit it");
    }
  }

  private void add(String group, String field, String message) {
    fault.accept(new PlanFault(group, field, message));
  }
}
