package io.elastune.core.allocation;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.FixedCluster;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.policy.FluidOptions;
import java.util.List;
import java.util.function.Consumer;

/**
 * Checks a plan for a fixed cluster: all its instances of one offer, for all groups
 * (docs/searches.md, "Policies").
 */
final class FixedClusterRules {
  private final Problem problem;
  private final FixedCluster cluster;
  private final Consumer<PlanFault> fault;

  FixedClusterRules(Problem problem, FixedCluster cluster, Consumer<PlanFault> fault) {
    this.problem = problem;
    this.cluster = cluster;
    this.fault = fault;
  }

  /** Checks a plan that has all groups. */
  void check(Plan plan) {
    if (problem.workload().chains().size() > 1 && !plan.shared()) {
      add("", "brackets", "must be shared, because all brackets use the fixed cluster");
    }
    if (!plan.hold()) {
      add("", "hold", "must be true, because the cluster is fixed");
    }
    List<TrialGroup> groups = problem.workload().groups();
    String offer = plan.of(groups.get(0)).offer();
    for (TrialGroup group : groups) {
      Allocation allocation = plan.of(group);
      if (!allocation.offer().equals(offer) || allocation.instances() != cluster.instances()) {
        add(
            group.name(),
            "instances",
            "must be " + cluster.instances() + " of " + offer + ", because the cluster is fixed");
      }
    }
    problem.fluid().ifPresent(fluid -> checkFluid(fluid, offer));
    problem.hyperSched().ifPresent(options -> checkHyperSched(offer));
    problem.hermes().ifPresent(options -> new HermesRules(problem, plan, fault).check(offer));
  }

  private void checkFluid(FluidOptions fluid, String name) {
    if (problem.workload().chains().size() > 1) {
      add("", "policy", "fluid needs trial groups that run one after another; use policy: list");
    }
    if (problem.workload().rungs().filter(RungRule::isStopping).isPresent()) {
      add("", "policy", "fluid works with variant promotion only; use policy: list");
    }
    int most = fluid.maxGpus().orElse(Integer.MAX_VALUE);
    problem
        .offer(name)
        .filter(offer -> FluidRules.sizes(problem, offer).stream().noneMatch(size -> size <= most))
        .ifPresent(
            offer ->
                add(
                    "",
                    "policy",
                    "fluid has no number of GPUs per trial to choose from on " + name));
  }

  private void checkHyperSched(String name) {
    if (problem.workload().rungs().isEmpty() || problem.limits().deadlineS().isEmpty()) {
      add("", "policy", "hypersched needs an asynchronous search and a deadline");
    }
    problem
        .offer(name)
        .filter(offer -> FluidRules.sizes(problem, offer).isEmpty())
        .ifPresent(
            offer ->
                add(
                    "",
                    "policy",
                    "hypersched has no number of GPUs per trial to choose from on " + name));
  }

  private void add(String group, String field, String message) {
    fault.accept(new PlanFault(group, field, message));
  }
}
