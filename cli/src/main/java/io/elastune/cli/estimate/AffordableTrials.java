package io.elastune.cli.estimate;

import io.elastune.core.job.Algorithm;
import io.elastune.core.job.Job;
import io.elastune.core.plan.Problem;
import io.elastune.core.policy.ListOptions;
import io.elastune.inputs.InputsLoader;
import io.elastune.planner.Planner;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;

/** Finds how many trials of a search fit the budget and the deadline of a case. */
public final class AffordableTrials {
  /** The searches whose cost grows with {@code search.trials}. */
  private static final Set<Algorithm> COUNTED =
      Set.of(Algorithm.SHA, Algorithm.RANDOM, Algorithm.ASHA);

  private static final PlannerOptions QUICK =
      new PlannerOptions(PlannerOptions.Kind.GREEDY, 500, 20_000);

  /** The result is at most this share below the largest number. */
  private static final int PRECISION = 50;

  private static final int MOST = 100_000;

  private AffordableTrials() {}

  /** Returns whether the number of trials decides what a search costs. */
  public static boolean matters(Job job) {
    return COUNTED.contains(job.search().algorithm())
        && job.search().limitsTrials()
        && job.policy() instanceof ListOptions;
  }

  /**
   * Returns the number; empty if it does not matter, if no trial fits, or if the time is over.
   *
   * @param isOver whether the time for the search is over
   */
  static OptionalInt find(CaseResult result, BooleanSupplier isOver) {
    Job job = result.inputs().job().value();
    if (result.budgetUsd().isEmpty() || result.inputs().problem().isEmpty() || !matters(job)) {
      return OptionalInt.empty();
    }
    Problem problem = result.inputs().problem().get();
    double share =
        result
            .found()
            .map(plan -> result.budgetUsd().getAsDouble() / plan.estimate().costUsd().p95())
            .orElse(0.5);
    IntPredicate fits =
        trials -> {
          Problem other =
              problem.withWorkload(InputsLoader.workload(job, job.search().withTrials(trials)));
          return new Planner(other, QUICK, isOver).plan() instanceof PlanResult.Found;
        };
    return find(job.search().trials(), result.found().isPresent(), share, fits, isOver);
  }

  /**
   * The same for a search of {@code all} trials.
   *
   * @param fit whether all of them fit
   * @param share by which factor their number may change if cost is in proportion to it
   */
  static OptionalInt find(
      int all, boolean fit, double share, IntPredicate fits, BooleanSupplier isOver) {
    int met = fit ? all : 0;
    int missed = fit ? MOST : all;
    double next = all * Math.max(fit ? 1.01 : 0, Math.min(share, MOST));
    while (missed - met > Math.max(1, met / PRECISION)) {
      int trials = (int) Math.max(met + 1, Math.min(missed - 1, Math.ceil(next)));
      boolean isMet = fits.test(trials);
      if (isOver.getAsBoolean()) {
        return OptionalInt.empty();
      }
      if (isMet) {
        met = trials;
        next = missed == MOST ? 1.3 * trials : met + (missed - met) / 2.0;
      } else {
        missed = trials;
        next = met == 0 ? trials / 1.5 : met + (missed - met) / 2.0;
      }
    }
    return met == 0 || met >= MOST - 1 ? OptionalInt.empty() : OptionalInt.of(met);
  }
}
