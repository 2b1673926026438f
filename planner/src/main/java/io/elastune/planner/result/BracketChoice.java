package io.elastune.planner.result;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.job.Brackets;
import io.elastune.core.plan.Plan;
import io.elastune.planner.api.Baseline;
import io.elastune.planner.api.FrontierPoint;
import io.elastune.planner.api.PlanResult;
import java.util.List;
import java.util.Optional;

/** Chooses between chains with separate instances and chains that share them. */
public final class BracketChoice {
  private BracketChoice() {}

  /** Returns a plan that meets the limits as a baseline with the name of its brackets. */
  public static List<Baseline> asBaseline(PlanResult result, Brackets brackets) {
    return result.match(
        found ->
            List.of(
                new Baseline(
                    brackets.word(),
                    true,
                    found.estimate().completionS().mean(),
                    found.estimate().costUsd().mean(),
                    Optional.of(found.plan()))),
        infeasible -> List.of(),
        impossible -> List.of());
  }

  /** Returns the plans of the frontier with separate instances. */
  public static List<Plan> plans(PlanResult separate) {
    return separate.match(
        found -> found.frontier().stream().map(FrontierPoint::plan).toList(),
        infeasible -> infeasible.frontier().stream().map(FrontierPoint::plan).toList(),
        impossible -> List.of());
  }

  /**
   * Returns the cheaper plan, or the faster one; of equal plans the separate one. The other one is
   * among its baselines.
   */
  public static PlanResult better(PlanResult separate, PlanResult shared, boolean minimizesCost) {
    return separate.match(
        one ->
            shared instanceof PlanResult.Found other
                    && value(other.estimate(), minimizesCost) < value(one.estimate(), minimizesCost)
                ? shared
                : one.withBaselines(asBaseline(shared, Brackets.SHARED)),
        infeasible -> shared instanceof PlanResult.Found ? shared : separate,
        impossible -> shared);
  }

  private static double value(Estimate estimate, boolean minimizesCost) {
    return (minimizesCost ? estimate.costUsd() : estimate.completionS()).mean();
  }
}
