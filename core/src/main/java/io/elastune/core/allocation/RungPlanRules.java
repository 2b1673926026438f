package io.elastune.core.allocation;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.Workload;
import java.util.function.Consumer;

/**
 * Checks a plan of a search made of rungs: both phases use one pool of instances, whose size only
 * shrinks (docs/searches.md, "The plan").
 */
final class RungPlanRules {
  private final Problem problem;
  private final Consumer<PlanFault> fault;

  RungPlanRules(Problem problem, Consumer<PlanFault> fault) {
    this.problem = problem;
    this.fault = fault;
  }

  /** Checks a plan that has both phases. */
  void check(Plan plan) {
    Allocation open = plan.of(problem.workload().groups().get(0));
    Allocation closing = plan.of(problem.workload().groups().get(1));
    checkTrial(Workload.OPEN, open);
    checkTrial(Workload.CLOSING, closing);
    if (!closing.offer().equals(open.offer())) {
      add(
          Workload.CLOSING,
          "offer",
          "must be the offer of open, " + open.offer() + ", because both use the same instances");
    }
    if (closing.instances() > open.instances()) {
      add(
          Workload.CLOSING,
          "instances",
          closing.instances()
              + " instances exceed the "
              + open.instances()
              + " of open; the search only releases instances when no new trial starts");
    }
    if (problem.workload().rungs().orElseThrow().isStopping()
        && closing.gpusPerTrial() != open.gpusPerTrial()) {
      add(
          Workload.CLOSING,
          "gpus_per_trial",
          "must be that of open, "
              + open.gpusPerTrial()
              + ", because with variant stopping a trial is never restarted");
    }
  }

  private void checkTrial(String group, Allocation allocation) {
    problem
        .offer(allocation.offer())
        .filter(offer -> allocation.gpusPerTrial() > offer.gpus())
        .ifPresent(
            offer ->
                add(
                    group,
                    "gpus_per_trial",
                    "must be at most the "
                        + offer.gpus()
                        + " GPUs of one instance in an asynchronous search, not "
                        + allocation.gpusPerTrial()));
    if (allocation.trialsPerGpu() > 1) {
      add(group, "trials_per_gpu", "must be 1 in an asynchronous search; omit it");
    }
  }

  private void add(String group, String field, String message) {
    fault.accept(new PlanFault(group, field, message));
  }
}
