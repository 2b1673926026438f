package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.estimate.Estimate;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.executor.simulation.FaultRates;
import io.elastune.simulator.Simulator;
import io.elastune.simulator.rank.RankModel;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.BiFunction;
import java.util.function.LongFunction;

/** Finds jobs without spread whose execution differs from the prediction. */
final class DifferentExecutions {
  private static final double ROUNDING = 1e-7;

  /** Survivors of a population stay where they ran, which decides the instance that ends first. */
  private static final double COST_OF_HOMES = 0.01;

  private DifferentExecutions() {}

  /**
   * Executes the jobs 1 to {@code last} without spread, and describes those that differ by more
   * than rounding. Fails if one differs by {@code limit} of its time or cost, or violates a
   * guarantee.
   */
  static List<String> of(LongFunction<PlannedRandomJob> jobs, int last, double limit) {
    return of(jobs, (job, seed) -> RankModel.ASSUMED, last, limit);
  }

  /** Returns the metrics of the trials in the rehearsal of a job. */
  interface Metrics {
    RankModel of(PlannedRandomJob job, long seed);
  }

  /** The same for jobs whose predictions depend on metrics. */
  static List<String> of(
      LongFunction<PlannedRandomJob> jobs, Metrics metrics, int last, double limit) {
    return of(jobs, metrics, (job, rehearsed) -> new Rehearsal(rehearsed), last, limit);
  }

  /**
   * The same for searches with known curves. The trials of every second job are equally fast, so
   * that many tasks end at the same time.
   */
  static List<String> ofCurves(LongFunction<PlannedRandomJob> jobs, int last, double limit) {
    return of(
        jobs,
        (job, seed) -> RankModel.recorded(KnownCurves.curves(job, isSlowed(seed))),
        (job, rehearsed) ->
            new Rehearsal(
                rehearsed,
                (number, state) ->
                    KnownCurves.environment(
                        job, number, isSlowed(number) ? KnownCurves::slowness : trial -> 1)),
        last,
        limit);
  }

  private static boolean isSlowed(long seed) {
    return seed % 2 == 0;
  }

  private static List<String> of(
      LongFunction<PlannedRandomJob> jobs,
      Metrics metrics,
      BiFunction<PlannedRandomJob, RehearsedJob, Rehearsal> rehearsals,
      int last,
      double limit) {
    List<String> different = new ArrayList<>();
    for (long seed = 1; seed <= last; seed++) {
      PlannedRandomJob job = RungFidelityTest.exactly(jobs.apply(seed));
      RankModel ranks = metrics.of(job, seed);
      Estimate predicted = new Simulator(job.problem(), 1, 1, ranks).simulate(job.plan());
      RehearsedJob rehearsed = job.rehearsed(OptionalDouble.empty(), FaultRates.NONE);
      RehearsedRun run = rehearsals.apply(job, rehearsed).run(seed);
      double time = PredictionGap.relative(run.completionS(), predicted.completionS().mean());
      double cost = PredictionGap.relative(run.costUsd(), predicted.costUsd().mean());
      assertThat(run.violations()).as("job %d", seed).isEmpty();
      assertThat(Math.max(time, cost)).as("job %d", seed).isLessThan(limit);
      if (time > ROUNDING || cost > (hasHomes(job) ? COST_OF_HOMES : ROUNDING)) {
        different.add("job %d: time %.6f, cost %.6f".formatted(seed, time, cost));
      }
    }
    return different;
  }

  /** Whether the durations of trials are known that continue on one of several instances. */
  private static boolean hasHomes(PlannedRandomJob job) {
    return job.problem().workload().population().isPresent()
        && job.plan().allocations().values().stream().anyMatch(it -> it.instances() > 1);
  }
}
