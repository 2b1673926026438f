package io.elastune.inputs;

import io.elastune.core.allocation.PlanFault;
import io.elastune.core.allocation.PlanRules;
import io.elastune.core.config.FileProblem;
import io.elastune.core.config.FileProblemsException;
import io.elastune.core.config.PlanDocument;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Validates a plan that the user supplies in a file. */
public final class SuppliedPlan {
  private SuppliedPlan() {}

  /**
   * Returns the plan of a file. Errors are reported, never corrected. If the offers are simulated,
   * the plan may name the real ones.
   *
   * @throws FileProblemsException if it does not match the job, with the lines of the errors
   */
  public static Plan validate(PlanDocument document, Problem problem) {
    List<FileProblem> problems = new ArrayList<>(document.check(problem.workload()));
    Plan plan = simulated(document.plan(), problem);
    for (PlanFault fault : PlanRules.faults(problem, plan)) {
      if (!fault.field().equals("group")) { // check has reported it
        problems.add(problem(document, fault));
      }
    }
    if (!problems.isEmpty()) {
      throw new FileProblemsException(problems);
    }
    return plan;
  }

  private static Plan simulated(Plan plan, Problem problem) {
    Plan changed = plan;
    for (Map.Entry<String, Allocation> entry : plan.allocations().entrySet()) {
      String offer = entry.getValue().offer();
      String other = Offer.SIMULATED + "/" + offer;
      if (problem.offer(offer).isEmpty() && problem.offer(other).isPresent()) {
        changed = changed.with(entry.getKey(), entry.getValue().withOffer(other));
      }
    }
    return changed;
  }

  private static FileProblem problem(PlanDocument document, PlanFault fault) {
    return fault.group().isEmpty()
        ? new FileProblem(
            document.file(), document.chosen().line(), fault.field(), fault.message(), "")
        : document.problem(fault.group(), fault.field(), fault.message(), "");
  }
}
