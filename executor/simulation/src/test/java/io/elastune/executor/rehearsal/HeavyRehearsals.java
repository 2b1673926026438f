package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.estimate.Estimate;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.executor.simulation.FaultRates;
import io.elastune.simulator.Simulator;
import java.util.HashSet;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * Executes random jobs with all kinds of faults, among them controllers that are killed at any
 * step, and fails at a violated guarantee.
 *
 * @param jobs returns the job of a number
 * @param last the last job; the first is 1
 * @param rehearsals returns the rehearsal of a job
 */
record HeavyRehearsals(
    LongFunction<PlannedRandomJob> jobs, int last, Function<RehearsedJob, Rehearsal> rehearsals) {
  private static final int SEEDS = 6;

  /** Executes all jobs without limits, and returns their exit codes. */
  Set<Integer> exits() {
    Set<Integer> exits = new HashSet<>();
    for (long seed = 1; seed <= last; seed++) {
      PlannedRandomJob job = jobs.apply(seed);
      check(job.rehearsed(OptionalDouble.empty(), FaultRates.HEAVY), seed, exits);
    }
    return exits;
  }

  /**
   * The same with limits that can end the run, some of which are tight. With profiles, every step
   * forecasts the rest of the run.
   */
  Set<Integer> exitsWithLimits() {
    Set<Integer> exits = new HashSet<>();
    for (long seed = 1; seed <= last; seed++) {
      PlannedRandomJob job = jobs.apply(seed);
      Estimate predicted = new Simulator(job.problem(), 64).simulate(job.plan());
      double deadlineS = predicted.completionS().mean() * (seed % 3 == 0 ? 1 : 4);
      double budgetUsd = predicted.costUsd().mean() * (seed % 2 == 0 ? 1.1 : 4);
      check(job.replanned(deadlineS, budgetUsd, 1.2, FaultRates.HEAVY), seed, exits);
    }
    return exits;
  }

  private void check(RehearsedJob job, long seed, Set<Integer> exits) {
    Rehearsal rehearsal = rehearsals.apply(job);
    for (int run = 0; run < SEEDS; run++) {
      RehearsedRun rehearsed = rehearsal.run(run);
      assertThat(rehearsed.violations()).as("job %d, seed %d", seed, run).isEmpty();
      exits.add(rehearsed.exit());
    }
  }
}
