package io.elastune.cli.service;

import io.elastune.cli.input.Inputs;
import io.elastune.cli.input.InputsLoader;
import io.elastune.core.job.Algorithm;
import io.elastune.core.job.Job;
import io.elastune.core.job.Search;
import io.elastune.core.plan.Problem;
import io.elastune.core.policy.ListOptions;
import io.elastune.planner.Planner;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Finds the most trials with which a search meets the limits that it misses with all of them. */
final class MostTrials {
  /** The searches whose cost grows with {@code search.trials}. */
  private static final Set<Algorithm> COUNTED =
      Set.of(Algorithm.SHA, Algorithm.RANDOM, Algorithm.ASHA);

  /** Whether a plan exists needs fewer samples and steps than the plan itself. */
  private static final PlannerOptions QUICK =
      new PlannerOptions(PlannerOptions.Kind.GREEDY, 500, 20_000);

  private final Job job;
  private final Problem problem;
  private final BooleanSupplier isOver;

  /**
   * @param isOver whether the time for the search is over; then there is no result
   */
  MostTrials(Inputs inputs, Problem problem, BooleanSupplier isOver) {
    this.job = inputs.job().value();
    this.problem = problem;
    this.isOver = isOver;
  }

  /** Returns the number; empty if a single trial misses the limits, or if it does not matter. */
  OptionalInt find() {
    boolean isCounted = COUNTED.contains(job.search().algorithm());
    if (!isCounted || !job.search().limitsTrials() || !(job.policy() instanceof ListOptions)) {
      return OptionalInt.empty();
    }
    int met = 0;
    int missed = job.search().trials();
    while (missed - met > 1) {
      if (isOver.getAsBoolean()) {
        return OptionalInt.empty();
      }
      int trials = met + (missed - met) / 2;
      if (meetsLimits(trials)) {
        met = trials;
      } else {
        missed = trials;
      }
    }
    return met == 0 ? OptionalInt.empty() : OptionalInt.of(met);
  }

  private boolean meetsLimits(int trials) {
    Search fewer = job.search().withTrials(trials);
    Problem smaller = problem.withWorkload(InputsLoader.workload(job, fewer));
    return new Planner(smaller, QUICK).plan() instanceof PlanResult.Found;
  }
}
