package io.elastune.core.allocation;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import java.util.List;
import java.util.function.Consumer;

/**
 * Checks a plan under Fluid: one fixed cluster for all groups, which Fluid divides among the trials
 * (docs/searches.md, "Fluid").
 */
final class FluidPlanRules {
  private final Problem problem;
  private final Consumer<PlanFault> fault;

  FluidPlanRules(Problem problem, Consumer<PlanFault> fault) {
    this.problem = problem;
    this.fault = fault;
  }

  /** Checks a plan that has all groups. */
  void check(Plan plan) {
    List<TrialGroup> groups = problem.workload().groups();
    if (problem.workload().rungs().isPresent() || problem.workload().chains().size() > 1) {
      add("", "policy", "fluid needs trial groups that run one after another; use policy: list");
    }
    if (plan.shared()) {
      add("", "brackets", "must not be shared under policy fluid, which has one chain");
    }
    if (!plan.hold()) {
      add("", "hold", "must be true under policy fluid, because the cluster is fixed");
    }
    Allocation first = plan.of(groups.get(0));
    for (TrialGroup group : groups) {
      Allocation allocation = plan.of(group);
      if (!allocation.offer().equals(first.offer())
          || allocation.instances() != first.instances()) {
        add(
            group.name(),
            "instances",
            "must be the "
                + first.instances()
                + " of "
                + first.offer()
                + " of group "
                + groups.get(0).name()
                + ", because the cluster is fixed");
      }
    }
    problem.offer(first.offer()).ifPresent(this::checkSizes);
  }

  private void checkSizes(Offer offer) {
    int most = problem.fluid().orElseThrow().maxGpus().orElse(Integer.MAX_VALUE);
    if (FluidRules.sizes(problem, offer).stream().noneMatch(size -> size <= most)) {
      add("", "policy", "fluid has no number of GPUs per trial to choose from on " + offer.name());
    }
  }

  private void add(String group, String field, String message) {
    fault.accept(new PlanFault(group, field, message));
  }
}
