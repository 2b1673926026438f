package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.estimate.Estimate;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.simulator.Simulator;
import java.util.List;

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
