package io.elastune.cli.wiring;

import io.elastune.core.plan.Problem;
import io.elastune.planner.FrontierPoint;
import io.elastune.planner.PlanResult;
import io.elastune.simulator.Samples;
import io.elastune.simulator.Simulator;
import java.util.Comparator;
import java.util.List;
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
  public static Alternatives of(Problem problem, PlanResult.Found found, int samples) {
    Simulator simulator = new Simulator(problem, samples);
    return new Alternatives(cheaper(problem, found, simulator), faster(problem, found, simulator));
  }

  /** The soonest that is worth saying: what a little more time would save. */
  private static Optional<Alternative> cheaper(
      Problem problem, PlanResult.Found found, Simulator simulator) {
    OptionalDouble deadline = problem.limits().deadlineS();
    double most = found.estimate().costUsd().mean() * (1 - WORTH_SAYING);
    if (deadline.isEmpty()) {
      return Optional.empty();
    }
    return found.frontier().stream()
        .filter(point -> point.costUsd() <= most)
        .min(Comparator.comparingDouble(FrontierPoint::completionS))
        .map(
            point ->
                new Alternative(
                    simulator.sample(point.plan()).safeS(problem.limits().confidence()),
                    point.costUsd()))
        .filter(other -> other.seconds() > deadline.getAsDouble());
  }

  /** The cheapest that is worth saying and within the budget. */
  private static Optional<Alternative> faster(
      Problem problem, PlanResult.Found found, Simulator simulator) {
    double longest = found.estimate().completionS().mean() * (1 - WORTH_SAYING);
    List<FrontierPoint> faster =
        found.frontier().stream()
            .filter(point -> point.completionS() <= longest)
            .sorted(Comparator.comparingDouble(FrontierPoint::costUsd))
            .toList();
    return faster.stream()
        .findFirst()
        .filter(point -> affordable(simulator.sample(point.plan()), problem))
        .map(point -> new Alternative(point.completionS(), point.costUsd()));
  }

  private static boolean affordable(Samples samples, Problem problem) {
    OptionalDouble budget = problem.limits().budgetUsd();
    return budget.isEmpty()
        || samples.safeUsd(problem.limits().confidence()) <= budget.getAsDouble();
  }
}
