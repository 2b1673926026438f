package io.elastune.cli.execute;

import io.elastune.cli.input.FoundPlan;
import io.elastune.cli.input.Inputs;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.job.Job;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;

/**
 * A plan as it was shown to the user for confirmation.
 *
 * @param inputs the inputs that it was computed from
 * @param problem the planning problem, with the limits left at that moment
 * @param estimate its predicted completion time and cost
 */
record ApprovedPlan(Inputs inputs, Problem problem, Plan plan, Estimate estimate) {
  static ApprovedPlan of(FoundPlan answer) {
    return new ApprovedPlan(
        answer.inputs(), answer.problem(), answer.found().plan(), answer.found().estimate());
  }

  Job job() {
    return inputs.job().value();
  }
}
