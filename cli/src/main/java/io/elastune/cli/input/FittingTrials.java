package io.elastune.cli.input;

import io.elastune.core.job.Job;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Problem;
import io.elastune.core.search.SpaceSize;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;

/**
 * How many trials would meet the limits of a plan, and how many with twice the budget. The numbers
 * come from plans for other numbers of trials, with less effort than that of the plan itself.
 *
 * @param most the largest number that fits, within 8 %
 * @param isMore whether more may fit, which were not tried
 * @param ofTwiceTheBudget the same with twice the budget; empty without a budget, if {@code
 *     isMore}, and if the time was over before
 */
public record FittingTrials(int most, boolean isMore, OptionalInt ofTwiceTheBudget) {
  /** More trials are not tried. */
  private static final int MOST = 512;

  /** A search with more trials, or more groups of them, takes long to plan again and again. */
  private static final int MOST_TRIALS = 128;

  private static final int MOST_TRIALS_WITHOUT_BUDGET = 32;

  private static final int PRECISION = 12;

  /**
   * Returns the numbers; empty if they do not matter or take long to compute.
   *
   * @param isOver whether the time for the search is over
   */
  public static Optional<FittingTrials> of(FoundPlan answer, BooleanSupplier isOver) {
    Job job = answer.inputs().job().value();
    Problem problem = answer.problem();
    Limits limits = problem.limits();
    int all = problem.workload().trials();
    int quick = limits.budgetUsd().isPresent() ? MOST_TRIALS : MOST_TRIALS_WITHOUT_BUDGET;
    boolean isQuick = problem.workload().rungs().isEmpty() && all <= quick;
    boolean isLimited = limits.budgetUsd().isPresent() || limits.deadlineS().isPresent();
    if (!AffordableTrials.matters(job) || !isQuick || !isLimited || isExhausted(job)) {
      return Optional.empty();
    }
    AffordableTrials now = new AffordableTrials(job, problem, isOver);
    OptionalInt most = now.find(all, true, share(answer), MOST + 1, PRECISION);
    boolean isMore = most.orElse(0) >= MOST;
    if (most.isEmpty() || isMore || limits.budgetUsd().isEmpty()) {
      return most.isEmpty()
          ? Optional.empty()
          : Optional.of(new FittingTrials(most.getAsInt(), isMore, OptionalInt.empty()));
    }
    int fitting = most.getAsInt();
    OptionalDouble twiceUsd = OptionalDouble.of(2 * limits.budgetUsd().getAsDouble());
    Problem richer = problem.withLimits(limits.within(limits.deadlineS(), twiceUsd));
    OptionalInt more =
        new AffordableTrials(job, richer, isOver).find(fitting, true, 2, 2 * MOST, PRECISION);
    return Optional.of(new FittingTrials(fitting, false, more));
  }

  /** Whether the search space has too few configurations for more trials. */
  private static boolean isExhausted(Job job) {
    OptionalInt size = SpaceSize.of(job.search().space());
    long trials = (long) size.orElse(0) * Math.max(1, job.search().repeat());
    return size.isPresent() && trials < 2 * MOST;
  }

  /** By which factor the number may grow if cost is in proportion to it. */
  private static double share(FoundPlan answer) {
    double budgetUsd = answer.problem().limits().budgetUsd().orElse(0);
    double usd = answer.found().estimate().costUsd().p95();
    return budgetUsd > 0 && usd > 0 ? budgetUsd / usd : 2;
  }
}
