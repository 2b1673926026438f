package io.elastune.cli.service;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.job.Search;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.planner.Planner;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.simulator.Simulator;
import java.util.OptionalDouble;

/**
 * Plans a job for a rehearsal, with the faults that the rehearsal injects. If no plan meets the
 * limits with them, the plan is that without faults, and the prediction is still that with them.
 */
final class RehearsalPlanner {
  private final Problem job;
  private final Problem predicted;
  private final PlannerOptions options;

  RehearsalPlanner(Problem job, Search search, FaultLevel level) {
    this.job = job;
    this.options = PlannerOptions.DEFAULT.forSearch(search);
    this.predicted = level.planned(job);
  }

  /**
   * A result of planning.
   *
   * @param withoutFaults whether it is the plan without faults, because no plan meets the limits
   *     with them
   */
  record Planned(PlanResult result, boolean withoutFaults) {}

  Planned plan() {
    PlanResult result = new Planner(predicted, options).plan();
    if (result instanceof PlanResult.Found || predicted.equals(job)) {
      return new Planned(result, false);
    }
    PlanResult other = withoutFaults(new Planner(job.withoutFaults(), options).plan(), result);
    return new Planned(other, other instanceof PlanResult.Found);
  }

  private PlanResult withoutFaults(PlanResult other, PlanResult infeasible) {
    return other instanceof PlanResult.Found found
        ? found.withEstimate(new Simulator(predicted, samples()).simulate(found.plan()))
        : infeasible;
  }

  private static int samples() {
    return PlannerOptions.DEFAULT.samples();
  }

  /**
   * Returns the prediction of {@code plan} with the probability that it stays within {@code
   * budgetUsd}, which a job without a budget does not have.
   */
  static Estimate promised(Problem predicted, OptionalDouble budgetUsd, Plan plan) {
    Limits limits = predicted.limits();
    Problem limited = predicted.withLimits(limits.within(limits.deadlineS(), budgetUsd));
    return new Simulator(limited, samples()).simulate(plan);
  }
}
