package io.elastune.inputs;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.job.Job;
import io.elastune.core.job.Preference;
import io.elastune.core.plan.Limits;
import io.elastune.planner.api.FrontierPoint;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Selects a plan of the time–cost frontier: by the preference of the job, or as {@code --choice}
 * requests.
 */
public final class PlanChoice {
  private static final String OPTION = "--choice";

  private final PreferredPlan preferredPlan =
      new PreferredPlan(Runtime.getRuntime().availableProcessors());

  /**
   * Returns the requested plan of the frontier, or the preferred one if none is requested.
   *
   * @throws io.elastune.core.config.FileProblemsException if the frontier has no such plan
   * @throws MissedChoiceException if the plan does not meet the limits
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
    Estimate estimate =
        requireLimits(
            preferredPlan.estimate(preferred, point),
            preferred.problem().limits(),
            number,
            meeting(preferred));
    return point.plan().equals(preferred.found().plan())
        ? preferred
        : PreferredPlan.chosen(
            preferred, point, estimate, preferred.selection().insteadOf(preferred.found()));
  }

  /** Returns the knee of the frontier; re-plans of its run are balanced, too. */
  public FoundPlan knee(FoundPlan preferred) {
    FrontierPoint knee =
        preferred
            .knee()
            .orElseThrow(
                () ->
                    JobProblems.option(
                        OPTION,
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
    if (number < 1 || number > plans) {
      throw JobProblems.option(
          OPTION,
          "must be from 1 to " + plans + ", is " + number,
          "'elastune plan --frontier' lists the plans");
    }
    return number;
  }

  /**
   * Returns the estimate of a plan, which must meet the limits.
   *
   * @param meeting the numbers of the plans that meet them, for the message; may be empty
   * @throws MissedChoiceException if it does not
   */
  public static Estimate requireLimits(
      Estimate estimate, Limits limits, int number, List<Integer> meeting) {
    if (!MissedChoiceException.isOnTime(estimate, limits)
        || !MissedChoiceException.isInBudget(estimate, limits)) {
      throw new MissedChoiceException(number, estimate, limits, meeting);
    }
    return estimate;
  }

  private static List<Integer> meeting(FoundPlan answer) {
    List<FrontierPoint> frontier = answer.found().frontier();
    return IntStream.range(0, frontier.size())
        .filter(i -> frontier.get(i).meets(answer.problem().limits()))
        .mapToObj(i -> i + 1)
        .toList();
  }
}
