package io.elastune.cli.execute;

import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.text.PercentFormat;
import io.elastune.cli.text.UsdFormat;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.job.Job;
import io.elastune.core.job.Preference;
import io.elastune.core.plan.Limits;
import io.elastune.core.time.Durations;
import io.elastune.inputs.FoundPlan;
import io.elastune.inputs.InputsBuilder;
import io.elastune.inputs.LoadedFile;
import io.elastune.inputs.PreferredPlan;
import io.elastune.planner.api.FrontierPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Selects a plan of the time–cost frontier: by the preference of the job, or as {@code --choice}
 * requests.
 */
public final class PlanChoice {
  private final PreferredPlan preferredPlan =
      new PreferredPlan(Runtime.getRuntime().availableProcessors());

  /**
   * Returns the requested plan of the frontier, or the preferred one if none is requested.
   *
   * @throws CommandFailure with exit code 2 if the frontier has no such plan, and with exit code 10
   *     if the plan does not meet the limits
   */
  public FoundPlan of(FoundPlan answer, Optional<FrontierChoice> choice) {
    FoundPlan preferred = preferredPlan.of(answer);
    return choice
        .map(
            asked ->
                asked.number().stream()
                    .mapToObj(number -> numbered(preferred, number))
                    .findFirst()
                    .orElseGet(() -> knee(preferred)))
        .orElse(preferred);
  }

  /** Returns plan {@code number} of the frontier. */
  private FoundPlan numbered(FoundPlan preferred, int number) {
    List<FrontierPoint> frontier = preferred.found().frontier();
    FrontierPoint point = frontier.get(inRange(number, frontier.size()) - 1);
    Estimate estimate = preferredPlan.estimate(preferred, point);
    requireLimits(estimate, preferred.problem().limits(), number, meeting(preferred));
    return point.plan().equals(preferred.found().plan())
        ? preferred
        : PreferredPlan.chosen(
            preferred, point, estimate, preferred.selection().insteadOf(preferred.found()));
  }

  /** Returns the knee of the frontier; re-plans of its run are balanced, too. */
  FoundPlan knee(FoundPlan preferred) {
    FrontierPoint knee =
        preferred
            .knee()
            .orElseThrow(
                () ->
                    CommandFailure.invalid(
                        "--choice",
                        "this frontier has no knee: no plan is much better than the others",
                        "use --prefer balanced, or a number of 'elastune plan --frontier'"));
    return balanced(numbered(preferred, preferred.number(knee.plan()).orElseThrow()));
  }

  private static FoundPlan balanced(FoundPlan answer) {
    LoadedFile<Job> job = answer.inputs().job();
    return new FoundPlan(
        InputsBuilder.builder(answer.inputs())
            .job(job.with(job.value().withPrefer(Preference.BALANCED)))
            .build(),
        answer.problem(),
        answer.found(),
        answer.best(),
        answer.selection(),
        answer.figures());
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
    List<String> missed = misses(estimate, limits);
    if (!missed.isEmpty()) {
      throw CommandFailure.of(
          ExitCode.INFEASIBLE,
          "--choice",
          "plan " + number + " " + String.join("; it ", missed),
          meeting + "relax the limit with --deadline or --budget");
    }
  }

  private static List<String> misses(Estimate estimate, Limits limits) {
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
    return missed;
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
}
