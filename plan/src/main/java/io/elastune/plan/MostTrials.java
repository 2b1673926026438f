package io.elastune.plan;

import io.elastune.core.job.Job;
import io.elastune.core.job.Search;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Problem;
import io.elastune.inputs.Inputs;
import io.elastune.inputs.InputsLoader;
import io.elastune.plan.estimate.AffordableTrials;
import io.elastune.planner.Planner;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.simulator.sample.SamplingProgress;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;

/** Finds the most trials with which a search meets the limits that it misses with all of them. */
public final class MostTrials {
  /** Whether a plan exists needs fewer samples and steps than the plan itself. */
  private static final PlannerOptions QUICK =
      new PlannerOptions(PlannerOptions.Kind.GREEDY, 500, 20_000);

  private static final int HUNDRED = 100;

  /** The ratio of the second number that is tried to the first one, or the inverse. */
  private static final double NEAR = 1.25;

  private final Job job;
  private final Problem problem;
  private final BooleanSupplier isOver;

  /**
   * @param isOver whether the time for the search is over; then there is no result
   */
  public MostTrials(Inputs inputs, Problem problem, BooleanSupplier isOver) {
    this.job = inputs.job().value();
    this.problem = problem;
    this.isOver = isOver;
  }

  /** Returns by which factor the nearest limits that can be met exceed the given ones. */
  public static double overrun(Limits limits, PlanResult.Nearest nearest) {
    return Math.max(
        nearest.deadlineS().orElse(0) / limits.deadlineOrInfinityS(),
        nearest.budgetUsd().orElse(0) / limits.budgetOrInfinityUsd());
  }

  /**
   * Returns the number, within 1 %; empty if a single trial misses the limits, or if it does not
   * matter.
   *
   * @param overrun the factor by which all trials exceed the limits
   * @param progress receives how many numbers have been tried
   */
  public OptionalInt find(double overrun, SamplingProgress progress) {
    if (!AffordableTrials.matters(job)) {
      return OptionalInt.empty();
    }
    return find(problem.workload().trials(), overrun, this::meetsLimits, isOver, progress);
  }

  /** The same for all trials and a test of fewer trials. */
  static OptionalInt find(
      int all,
      double overrun,
      IntPredicate meetsLimits,
      BooleanSupplier isOver,
      SamplingProgress progress) {
    int met = 0;
    int missed = all;
    int most = 2 + Integer.SIZE - Integer.numberOfLeadingZeros(missed);
    // Time and cost are about in proportion to the trials.
    int trials = (int) (missed / Math.max(1, overrun));
    for (int tried = 0; missed - met > Math.max(1, met / HUNDRED); tried++) {
      progress.sampled(tried, most);
      trials = Math.max(met + 1, Math.min(missed - 1, trials));
      boolean isMet = meetsLimits.test(trials);
      if (isOver.getAsBoolean()) {
        return OptionalInt.empty();
      }
      if (isMet) {
        met = trials;
      } else {
        missed = trials;
      }
      double near = isMet ? NEAR * trials : trials / NEAR;
      trials = tried == 0 ? (int) near : met + (missed - met) / 2;
    }
    return met == 0 ? OptionalInt.empty() : OptionalInt.of(met);
  }

  private boolean meetsLimits(int trials) {
    Search fewer = job.search().withTrials(trials);
    Problem smaller = problem.withWorkload(InputsLoader.workload(job, fewer));
    return new Planner(smaller, QUICK, isOver).plan() instanceof PlanResult.Found;
  }
}
