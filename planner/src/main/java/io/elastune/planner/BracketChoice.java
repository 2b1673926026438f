package io.elastune.planner;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Plan;
import io.elastune.planner.api.Baseline;
import io.elastune.planner.api.FrontierPoint;
import io.elastune.planner.api.PlanResult;
import java.util.List;
import java.util.Optional;

/** Chooses between chains with separate instances and chains that share them. */
final class BracketChoice {
  /** The name of the best plan with separate instances, as a baseline. */
  private static final String SEPARATE = "separate";

  private BracketChoice() {}

  /** Returns the plan with separate instances, if one meets the limits, as a baseline. */
  static List<Baseline> asBaseline(PlanResult separate) {
    return separate.match(
        found ->
            List.of(
                new Baseline(
                    SEPARATE,
                    true,
                    found.estimate().completionS().mean(),
                    found.estimate().costUsd().mean(),
                    Optional.of(found.plan()))),
        infeasible -> List.of(),
        impossible -> List.of());
  }

  /** Returns the plans of the frontier with separate instances. */
  static List<Plan> plans(PlanResult separate) {
    return separate.match(
        found -> found.frontier().stream().map(FrontierPoint::plan).toList(),
        infeasible -> infeasible.frontier().stream().map(FrontierPoint::plan).toList(),
        impossible -> List.of());
  }

  /** Returns the cheaper plan, or the faster one; of equal plans the separate one. */
  static PlanResult better(PlanResult separate, PlanResult shared, boolean minimizesCost) {
    return separate.match(
        one ->
            shared instanceof PlanResult.Found other
                    && value(other.estimate(), minimizesCost) < value(one.estimate(), minimizesCost)
                ? shared
                : separate,
        infeasible -> shared instanceof PlanResult.Found ? shared : separate,
        impossible -> shared);
  }

  private static double value(Estimate estimate, boolean minimizesCost) {
    return (minimizesCost ? estimate.costUsd() : estimate.completionS()).mean();
  }
}
