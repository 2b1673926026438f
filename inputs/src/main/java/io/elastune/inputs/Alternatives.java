package io.elastune.inputs;

import io.elastune.core.plan.Problem;
import io.elastune.planner.api.FrontierPoint;
import io.elastune.planner.api.PlanResult;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Alternatives to the plan found, for the plan screen.
 *
 * @param cheaper a cheaper plan that a later deadline would allow
 * @param faster a faster plan within the budget
 */
public record Alternatives(Optional<Alternative> cheaper, Optional<Alternative> faster) {
  /** Alternatives that differ by less than this fraction are not shown. */
  private static final double MIN_DIFFERENCE = 0.05;

  /**
   * One alternative plan.
   *
   * @param seconds for the cheaper plan, the deadline that it meets with the required confidence;
   *     for the faster plan, its mean completion time
   * @param costUsd its mean cost
   */
  public record Alternative(double seconds, double costUsd) {}

  /** Selects the alternatives from the frontier of the result. */
  public static Alternatives of(Problem problem, PlanResult.Found found) {
    return new Alternatives(cheaper(problem, found), faster(problem, found));
  }

  /** Returns the earliest plan that is cheaper by the minimum fraction and misses the deadline. */
  private static Optional<Alternative> cheaper(Problem problem, PlanResult.Found found) {
    OptionalDouble deadline = problem.limits().deadlineS();
    double most = found.estimate().costUsd().mean() * (1 - MIN_DIFFERENCE);
    if (deadline.isEmpty()) {
      return Optional.empty();
    }
    return found.frontier().stream()
        .filter(point -> point.costUsd() <= most)
        .min(Comparator.comparingDouble(FrontierPoint::completionS))
        .map(point -> new Alternative(point.safeS(), point.costUsd()))
        .filter(other -> other.seconds() > deadline.getAsDouble());
  }

  /** Returns the cheapest plan that is faster by the minimum fraction, if within the budget. */
  private static Optional<Alternative> faster(Problem problem, PlanResult.Found found) {
    double longest = found.estimate().completionS().mean() * (1 - MIN_DIFFERENCE);
    double budgetUsd = problem.limits().budgetOrInfinityUsd();
    return found.frontier().stream()
        .filter(point -> point.completionS() <= longest)
        .min(Comparator.comparingDouble(FrontierPoint::costUsd))
        .filter(point -> point.safeUsd() <= budgetUsd)
        .map(point -> new Alternative(point.completionS(), point.costUsd()));
  }
}
