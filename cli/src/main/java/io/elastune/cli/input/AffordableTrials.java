package io.elastune.cli.input;

import io.elastune.core.job.Algorithm;
import io.elastune.core.job.Job;
import io.elastune.core.plan.Problem;
import io.elastune.core.policy.ListOptions;
import io.elastune.planner.Planner;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;

/** Finds how many trials of a search fit the limits of a problem. */
public final class AffordableTrials {
  /** The searches whose cost grows with {@code search.trials}. */
  private static final Set<Algorithm> COUNTED =
      Set.of(Algorithm.SHA, Algorithm.RANDOM, Algorithm.ASHA);

  private static final PlannerOptions QUICK =
      new PlannerOptions(PlannerOptions.Kind.GREEDY, 500, 20_000);

  /** The factor of the next number if all numbers so far fit. */
  private static final double GROWTH = 1.3;

  private final Job job;
  private final Problem problem;
  private final BooleanSupplier isOver;

  /**
   * @param isOver whether the time for the search is over
   */
  public AffordableTrials(Job job, Problem problem, BooleanSupplier isOver) {
    this.job = job;
    this.problem = problem;
    this.isOver = isOver;
  }

  /** Returns whether the number of trials decides what a search costs. */
  public static boolean matters(Job job) {
    return COUNTED.contains(job.search().algorithm())
        && job.search().limitsTrials()
        && job.policy() instanceof ListOptions;
  }

  /**
   * Returns the largest number found; empty if no trial fits, or if the time is over.
   *
   * @param all a number of trials
   * @param fit whether so many fit
   * @param share by which factor their number may change if cost is in proportion to it
   * @param most the largest number to try, less one
   * @param precision the result is at most one of so many trials below the largest number
   */
  public OptionalInt find(int all, boolean fit, double share, int most, int precision) {
    return find(all, fit, share, most, precision, this::fits, isOver);
  }

  private boolean fits(int trials) {
    Problem other =
        problem.withWorkload(InputsLoader.workload(job, job.search().withTrials(trials)));
    return new Planner(other, QUICK, isOver).plan() instanceof PlanResult.Found;
  }

  static OptionalInt find(
      int all,
      boolean fit,
      double share,
      int most,
      int precision,
      IntPredicate fits,
      BooleanSupplier isOver) {
    int met = fit ? all : 0;
    int missed = fit ? most : all;
    double next = all * Math.max(fit ? 1.01 : 0, Math.min(share, most));
    while (missed - met > Math.max(1, met / precision)) {
      int trials = (int) Math.max(met + 1, Math.min(missed - 1, Math.ceil(next)));
      boolean isMet = fits.test(trials);
      if (isOver.getAsBoolean()) {
        return OptionalInt.empty();
      }
      if (isMet) {
        met = trials;
        next = missed == most ? GROWTH * trials : met + (missed - met) / 2.0;
      } else {
        missed = trials;
        next = met == 0 ? trials / 1.5 : met + (missed - met) / 2.0;
      }
    }
    return met == 0 ? OptionalInt.empty() : OptionalInt.of(met);
  }
}
