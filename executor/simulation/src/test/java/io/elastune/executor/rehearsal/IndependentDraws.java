package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.estimate.Estimate;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.executor.simulation.FaultRates;
import io.elastune.simulator.Simulator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;

/**
 * Compares a prediction with executions that have random draws of their own.
 *
 * @param samples samples of the prediction
 * @param executions executions of each job
 * @param mean the largest allowed gap of a mean
 * @param p95 the largest allowed gap of a p95
 */
record IndependentDraws(int samples, int executions, double mean, double p95) {
  /**
   * Returns draws with the limits of docs/searches.md, 1 % for means and 3 % for p95. {@code
   * -Delastune.fidelity.executions=3000} executes each job of every test 3,000 times.
   */
  static IndependentDraws of(int samples, int executions) {
    int runs = Integer.getInteger("elastune.fidelity.executions", executions);
    return new IndependentDraws(Math.max(samples, runs), runs, 0.01, 0.03);
  }

  /** Prints the gaps of jobs 1 to {@code last}, and returns the jobs beyond the limits. */
  List<String> off(String what, int last, LongFunction<PlannedRandomJob> jobs) {
    return off(what, last, jobs, UnaryOperator.identity());
  }

  /**
   * The same for jobs that are changed.
   *
   * @param use returns the job to execute; the prediction is that of the job before the change
   */
  List<String> off(
      String what, int last, LongFunction<PlannedRandomJob> jobs, UnaryOperator<RehearsedJob> use) {
    GapFigures figures = new GapFigures();
    for (long seed = 1; seed <= last; seed++) {
      PlannedRandomJob job = jobs.apply(seed);
      RehearsedJob rehearsed = use.apply(job.rehearsed(OptionalDouble.empty(), FaultRates.NONE));
      figures.add(seed + " " + job.plan(), gaps(job, new Rehearsal(rehearsed), seed));
    }
    figures.print(what);
    return figures.off();
  }

  /**
   * Executes a job, and returns the gaps of time and cost, the one of the mean time first. Fails at
   * a violated guarantee.
   */
  List<PredictionGap> gaps(PlannedRandomJob job, Rehearsal rehearsal, long number) {
    Estimate predicted = new Simulator(job.problem(), samples).simulate(job.plan());
    double[] seconds = new double[executions];
    double[] usd = new double[executions];
    for (int i = 0; i < executions; i++) {
      RehearsedRun run = rehearsal.run(i);
      assertThat(run.violations()).as("job %d, seed %d", number, i).isEmpty();
      seconds[i] = run.completionS();
      usd[i] = run.costUsd();
    }
    return List.of(
        PredictionGap.ofMean("time", seconds, predicted.completionS(), samples, mean),
        PredictionGap.ofMean("cost", usd, predicted.costUsd(), samples, mean),
        PredictionGap.ofP95("time", seconds, predicted.completionS(), samples, p95),
        PredictionGap.ofP95("cost", usd, predicted.costUsd(), samples, p95));
  }
}
