package io.elastune.inputs;

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
 * @param best the planner's own plan, if another one was chosen from the frontier
 * @param selection how the plan was chosen
 * @param figures what is simulated of the plan at first use
 */
public record FoundPlan(
    Inputs inputs,
    Problem problem,
    PlanResult.Found found,
    Optional<PlanResult.Found> best,
    PlanSelection selection,
    PlanFigures figures) {
  /** A plan that the planner selected. */
  public FoundPlan(Inputs inputs, Problem problem, PlanResult.Found found) {
    this(
        inputs,
        problem,
        found,
        Optional.empty(),
        PlanSelection.of(inputs.job().value(), problem),
        new PlanFigures(problem, found));
  }

  /** Returns the same result with another plan of the frontier, whose figures are not yet known. */
  public FoundPlan with(PlanResult.Found chosen, PlanSelection how) {
    PlanResult.Found own = best.orElse(found);
    return new FoundPlan(
        inputs,
        problem,
        chosen,
        Optional.of(own).filter(it -> !it.plan().equals(chosen.plan())),
        how,
        chosen.plan().equals(found.plan()) ? figures : new PlanFigures(problem, chosen));
  }

  /** Returns the same result without the samples of the planner. */
  FoundPlan withoutSamples() {
    return new FoundPlan(
        inputs,
        problem,
        found.withoutSamples(),
        best.map(PlanResult.Found::withoutSamples),
        selection,
        figures);
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

  /** Returns the knee, if it is another plan than this one. */
  public Optional<FrontierPoint> otherKnee() {
    return knee().filter(point -> !point.plan().equals(found.plan()));
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
