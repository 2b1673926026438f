package io.elastune.cli.execute;

import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.input.FoundPlan;
import io.elastune.cli.text.PercentFormat;
import io.elastune.cli.text.UsdFormat;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Limits;
import io.elastune.core.time.Durations;
import io.elastune.planner.api.FrontierPoint;
import io.elastune.planner.api.Optimum;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.simulator.Simulator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** Selects a plan of the time–cost frontier by its number, as {@code --choice} requests. */
public final class PlanChoice {
  private PlanChoice() {}

  /**
   * Returns the requested plan of the frontier, or {@code answer} if none is requested.
   *
   * @throws CommandFailure with exit code 2 if the frontier has no such number, and with exit code
   *     10 if the plan does not meet the limits
   */
  public static FoundPlan of(FoundPlan answer, OptionalInt choice) {
    if (choice.isEmpty()) {
      return answer;
    }
    PlanResult.Found found = answer.found();
    int number = inRange(choice.getAsInt(), found.frontier().size());
    FrontierPoint point = found.frontier().get(number - 1);
    Estimate estimate =
        new Simulator(answer.problem(), PlannerOptions.DEFAULT.samples()).simulate(point.plan());
    requireLimits(estimate, answer.problem().limits(), number, meeting(answer));
    PlanResult.Found chosen =
        new PlanResult.Found(
            point.plan(),
            estimate,
            found.baselines(),
            optimum(found, estimate, answer.problem().limits().deadlineS().isPresent()),
            found.frontier(),
            List.of(),
            found.remarks());
    return new FoundPlan(
        answer.inputs(),
        answer.problem(),
        chosen,
        Optional.of(found).filter(own -> !own.plan().equals(chosen.plan())));
  }

  /** Returns the number, if there are so many plans. */
  public static int inRange(int number, int plans) {
    if (number > plans) {
      throw CommandFailure.invalid(
          "--choice",
          "must be from 1 to " + plans + ", is " + number,
          "'elastune plan --frontier' lists the plans");
    }
    return number;
  }

  /**
   * Checks that a plan meets the limits.
   *
   * @param meeting the numbers of the plans that meet them, for the message; may be empty
   * @throws CommandFailure with exit code 10 if it does not
   */
  public static void requireLimits(Estimate estimate, Limits limits, int number, String meeting) {
    List<String> missed = new ArrayList<>();
    if (estimate.onTime() < limits.confidence()) {
      missed.add(
          "finishes in %s on average, and by the deadline of %s with a probability of %s"
              .formatted(
                  Durations.format(estimate.completionS().mean()),
                  Durations.format(limits.deadlineS().orElse(0)),
                  PercentFormat.probability(estimate.onTime())));
    }
    if (estimate.inBudget().orElse(1) < limits.confidence()) {
      missed.add(
          "costs %s on average, and at most the budget of %s with a probability of %s"
              .formatted(
                  UsdFormat.format(estimate.costUsd().mean()),
                  UsdFormat.format(limits.budgetUsd().orElse(0)),
                  PercentFormat.probability(estimate.inBudget().orElse(1))));
    }
    if (!missed.isEmpty()) {
      throw CommandFailure.of(
          ExitCode.INFEASIBLE,
          "--choice",
          "plan " + number + " " + String.join("; it ", missed),
          meeting + "relax the limit with --deadline or --budget");
    }
  }

  private static String meeting(FoundPlan answer) {
    List<FrontierPoint> frontier = answer.found().frontier();
    List<String> numbers =
        IntStream.range(0, frontier.size())
            .filter(i -> frontier.get(i).meets(answer.problem().limits()))
            .mapToObj(i -> String.valueOf(i + 1))
            .toList();
    return numbers.isEmpty()
        ? ""
        : "these meet the limits: " + String.join(", ", numbers) + "; or ";
  }

  /** Returns how far the chosen plan may be from the optimum: by as much more as it is worse. */
  private static Optimum optimum(PlanResult.Found found, Estimate chosen, boolean minimizesCost) {
    Optimum optimum = found.optimum();
    double ratio =
        minimizesCost
            ? chosen.costUsd().mean() / found.estimate().costUsd().mean()
            : chosen.completionS().mean() / found.estimate().completionS().mean();
    double gap = Math.max(0, (1 + optimum.gap()) * ratio - 1);
    return new Optimum(
        optimum.costUsd(), gap, optimum.boundUsd(), optimum.guide(), optimum.proven());
  }
}
