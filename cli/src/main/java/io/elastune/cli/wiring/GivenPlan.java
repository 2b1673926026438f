package io.elastune.cli.wiring;

import io.elastune.core.allocation.PlanFault;
import io.elastune.core.allocation.PlanRules;
import io.elastune.core.files.FileProblem;
import io.elastune.core.files.FileProblemsException;
import io.elastune.core.files.PlanDocument;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import java.util.ArrayList;
import java.util.List;

/** A plan that was not found by us but given in a file. */
public final class GivenPlan {
  private GivenPlan() {}

  /**
   * The plan of a file; nothing is repaired.
   *
   * @throws FileProblemsException if it does not fit the job, with the lines at fault
   */
  public static Plan checked(PlanDocument document, Problem problem) {
    List<FileProblem> problems = new ArrayList<>(document.check(problem.workload()));
    for (PlanFault fault : PlanRules.faults(problem, document.plan())) {
      if (!fault.field().equals("group")) { // told by check already
        problems.add(problem(document, fault));
      }
    }
    if (!problems.isEmpty()) {
      throw new FileProblemsException(problems);
    }
    return document.plan();
  }

  private static FileProblem problem(PlanDocument document, PlanFault fault) {
    return fault.group().isEmpty()
        ? new FileProblem(document.file(), document.line(), fault.field(), fault.message(), "")
        : document.problem(fault.group(), fault.field(), fault.message(), "");
  }
}
