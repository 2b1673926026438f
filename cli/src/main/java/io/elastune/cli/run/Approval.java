package io.elastune.cli.run;

import io.elastune.cli.wiring.Inputs;
import io.elastune.cli.wiring.PlanAnswer;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.job.Job;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;

/**
 * A plan as it was shown for approval.
 *
 * @param inputs what it was made from
 * @param problem with the limits that were left at that moment
 * @param estimate what it is predicted to take and cost
 */
record Approval(Inputs inputs, Problem problem, Plan plan, Estimate estimate) {
  static Approval of(PlanAnswer answer) {
    return new Approval(
        answer.inputs(), answer.problem(), answer.found().plan(), answer.found().estimate());
  }

  Job job() {
    return inputs.job().value();
  }
}
