package io.elastune.cli.input;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.planner.api.FrontierPoint;
import io.elastune.planner.api.Knee;
import io.elastune.planner.api.PlanResult;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A plan that was found, with its inputs.
 *
 * @param inputs the loaded files
 * @param problem the planner's problem
 * @param found the plan, its estimate and its baselines
 * @param best the planner's own plan, if the user chose another one from the frontier
 * @param figures what is simulated of the plan at first use
 */
public record FoundPlan(
    Inputs inputs,
    Problem problem,
    PlanResult.Found found,
    Optional<PlanResult.Found> best,
    PlanFigures figures) {
  /** Creates a plan whose figures were not needed before. */
  public FoundPlan(
      Inputs inputs, Problem problem, PlanResult.Found found, Optional<PlanResult.Found> best) {
    this(inputs, problem, found, best, new PlanFigures(problem, found.plan(), found.estimate()));
  }

  /** A plan that the planner selected. */
  public FoundPlan(Inputs inputs, Problem problem, PlanResult.Found found) {
    this(inputs, problem, found, Optional.empty());
  }

  /** Returns which of its numbers were not measured. */
  public AssumedNumbers assumed() {
    return new AssumedNumbers(inputs, problem);
  }

  /** Returns a cheaper and a faster plan, if there are any. */
  public Alternatives alternatives() {
    return Alternatives.of(problem, found);
  }

  /** Returns the knee of the frontier, relative to the planner's own plan. */
  public Optional<FrontierPoint> knee() {
    Estimate own = best.orElse(found).estimate();
    return Knee.of(
        found.frontier(), own.completionS().mean(), own.costUsd().mean(), problem.limits());
  }

  /** Returns the number of this plan on the frontier, if it is part of it. */
  public OptionalInt choice() {
    return number(found.plan());
  }

  /** Returns the number of a plan on the frontier, from 1; the fastest plan is the first. */
  public OptionalInt number(Plan plan) {
    List<Plan> plans = found.frontier().stream().map(FrontierPoint::plan).toList();
    int index = plans.indexOf(plan);
    return index < 0 ? OptionalInt.empty() : OptionalInt.of(index + 1);
  }
}
