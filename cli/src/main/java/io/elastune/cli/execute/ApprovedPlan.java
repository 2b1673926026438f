package io.elastune.cli.execute;

import io.elastune.cli.text.BracketNote;
import io.elastune.cli.text.SelectionNote;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.job.Job;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.inputs.FoundPlan;
import io.elastune.inputs.Inputs;
import io.elastune.inputs.PlanFigures;
import io.elastune.inputs.PreferredPlan;
import io.elastune.planner.api.PlanResult;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A plan as it was shown to the user for confirmation.
 *
 * @param inputs the inputs that it was computed from
 * @param problem the planning problem, with the limits left at that moment
 * @param estimate its predicted completion time and cost
 * @param figures what was simulated of the plan, such as its spending guard
 * @param choice the reasons for the plan and for the use of instances by brackets, with their
 *     numbers
 * @param preferred returns the plan that the job prefers without faults, from the planner's result;
 *     empty for a plan that the user has chosen
 */
record ApprovedPlan(
    Inputs inputs,
    Problem problem,
    Plan plan,
    Estimate estimate,
    PlanFigures figures,
    Map<String, Map<String, Double>> choice,
    Optional<UnaryOperator<PlanResult.Found>> preferred) {
  ApprovedPlan {
    choice = Collections.unmodifiableMap(new LinkedHashMap<>(choice));
  }

  /** Approves a plan that the user has supplied. */
  ApprovedPlan(Inputs inputs, Problem problem, Plan plan, Estimate estimate, PlanFigures figures) {
    this(inputs, problem, plan, estimate, figures, Map.of(), Optional.empty());
  }

  static ApprovedPlan of(FoundPlan answer) {
    return new ApprovedPlan(
        answer.inputs(),
        answer.problem(),
        answer.found().plan(),
        answer.found().estimate(),
        answer.figures(),
        reasons(answer),
        answer.selection().instead().isPresent()
            ? Optional.empty()
            : Optional.of(found -> preferredWithoutFaults(answer, found)));
  }

  private static PlanResult.Found preferredWithoutFaults(FoundPlan answer, PlanResult.Found found) {
    Problem reliable = answer.problem().withoutFaults();
    return new PreferredPlan(Runtime.getRuntime().availableProcessors())
        .of(new FoundPlan(answer.inputs(), reliable, found))
        .found();
  }

  private static Map<String, Map<String, Double>> reasons(FoundPlan answer) {
    Map<String, Map<String, Double>> reasons =
        new LinkedHashMap<>(new SelectionNote(answer).reason());
    reasons.putAll(new BracketNote(answer).reason());
    return reasons;
  }

  Job job() {
    return inputs.job().value();
  }
}
