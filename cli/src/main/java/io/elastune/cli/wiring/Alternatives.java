package io.elastune.cli.wiring;

import io.elastune.core.plan.Problem;
import io.elastune.planner.FrontierPoint;
import io.elastune.planner.PlanResult;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What another deadline or more money would bring, if it would bring something.
 *
 * @param cheaper a cheaper plan that a later deadline would allow
 * @param faster a faster plan that the budget allows
 */
public record Alternatives(Optional<Alternative> cheaper, Optional<Alternative> faster) {
  /** Differences below this fraction are not worth a line. */
  private static final double WORTH_SAYING = 0.05;

  /**
   * Another plan.
   *
   * @param seconds of the cheaper: the deadline that it keeps with the confidence asked for; of the
   *     faster: its mean completion
   * @param costUsd its mean cost
   */
  public record Alternative(double seconds, double costUsd) {}

  /** Those on the frontier around the plan found. */
  public static Alternatives of(Problem problem, PlanResult.Found found) {
    return new Alternatives(cheaper(problem, found), faster(problem, found));
  }

  /** The soonest that is worth saying: what a little more time would save. */
  private static Optional<Alternative> cheaper(Problem problem, PlanResult.Found found) {
    OptionalDouble deadline = problem.limits().deadlineS();
    double most = found.estimate().costUsd().mean() * (1 - WORTH_SAYING);
    if (deadline.isEmpty()) {
      return Optional.empty();
    }
    return found.frontier().stream()
        .filter(point -> point.costUsd() <= most)
        .min(Comparator.comparingDouble(FrontierPoint::completionS))
        .map(point -> new Alternative(point.safeS(), point.costUsd()))
        .filter(other -> other.seconds() > deadline.getAsDouble());
  }

  /** The cheapest that is worth saying, if the budget allows it. */
  private static Optional<Alternative> faster(Problem problem, PlanResult.Found found) {
    double longest = found.estimate().completionS().mean() * (1 - WORTH_SAYING);
    double budgetUsd = problem.limits().budgetUsd().orElse(Double.POSITIVE_INFINITY);
    return found.frontier().stream()
        .filter(point -> point.completionS() <= longest)
        .min(Comparator.comparingDouble(FrontierPoint::costUsd))
        .filter(point -> point.safeUsd() <= budgetUsd)
        .map(point -> new Alternative(point.completionS(), point.costUsd()));
  }
}
