package io.elastune.plan.estimate;

import io.elastune.core.job.Algorithm;
import io.elastune.core.job.Job;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.LimitsBuilder;
import io.elastune.core.plan.Problem;
import io.elastune.core.policy.ListOptions;
import io.elastune.inputs.InputsLoader;
import io.elastune.planner.Planner;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.model.SearchParameters;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.IntPredicate;

/** Finds how many trials of a search fit the budget and the deadline of a case. */
public final class AffordableTrials {
  /** The searches whose cost grows with {@code search.trials}. */
  private static final Set<Algorithm> COUNTED =
      Set.of(Algorithm.SHA, Algorithm.RANDOM, Algorithm.ASHA);

  /**
   * Cheap plans without a bound, a frontier and compared plans: only whether one is found counts.
   */
  private static final PlannerOptions QUICK = new PlannerOptions(PlannerOptions.Kind.GREEDY, 32, 0);

  /** The result is at most this share below the largest number. */
  private static final int PRECISION = 50;

  /** More trials than so many times those of the job are not counted. */
  private static final int MOST_TIMES = 20;

  /**
   * The most plans for a count, and the trials of all of them, about: their number depends on the
   * job, and not on the speed of the machine.
   */
  private static final int MOST_PLANS = 10;

  private static final int MOST_PLANNED = 1_024;
  private static final int FEWEST_PLANS = 3;

  private static final double UNKNOWN_SHARE = 0.5;

  private AffordableTrials() {}

  /** Returns whether the number of trials decides what a search costs. */
  public static boolean matters(Job job) {
    return COUNTED.contains(job.search().algorithm())
        && job.search().limitsTrials()
        && job.policy() instanceof ListOptions;
  }

  /**
   * Returns the number, about; empty if it does not matter, if no trial fits, or if far more fit
   * than the job has. It is the same on every machine.
   *
   * @param budgetUsd the budget that counts instead of that of the problem
   * @param found a plan for the trials of the job, if there is one
   */
  public static OptionalInt find(
      Job job, Problem problem, double budgetUsd, Optional<PlanResult.Found> found) {
    if (!matters(job)) {
      return OptionalInt.empty();
    }
    Limits limits =
        LimitsBuilder.builder(problem.limits()).budgetUsd(OptionalDouble.of(budgetUsd)).build();
    double share =
        found.map(plan -> budgetUsd / plan.estimate().costUsd().p95()).orElse(UNKNOWN_SHARE);
    IntPredicate fits =
        trials -> {
          Problem other =
              problem
                  .withLimits(limits)
                  .withWorkload(InputsLoader.workload(job, job.search().withTrials(trials)));
          return new Planner(other, QUICK, SearchParameters.PLAN_ALONE, () -> false).plan()
              instanceof PlanResult.Found;
        };
    return find(job.search().trials(), found.isPresent(), share, fits);
  }

  /**
   * The same for a search of {@code all} trials.
   *
   * @param fit whether all of them fit
   * @param share by which factor their number may change if cost is in proportion to it
   */
  static OptionalInt find(int all, boolean fit, double share, IntPredicate fits) {
    int most = MOST_TIMES * all;
    int plans = Math.max(FEWEST_PLANS, Math.min(MOST_PLANS, MOST_PLANNED / all));
    int met = fit ? all : 0;
    int missed = fit ? most : all;
    double next = all * Math.max(fit ? 1.01 : 0, Math.min(share, MOST_TIMES));
    for (int i = 0; i < plans && missed - met > Math.max(1, met / PRECISION); i++) {
      int trials = (int) Math.max(met + 1, Math.min(missed - 1, Math.ceil(next)));
      if (fits.test(trials)) {
        met = trials;
        next = missed == most ? 1.3 * trials : met + (missed - met) / 2.0;
      } else {
        missed = trials;
        next = met == 0 ? trials / 1.5 : met + (missed - met) / 2.0;
      }
    }
    return met == 0 || met >= most - 1 ? OptionalInt.empty() : OptionalInt.of(met);
  }
}
