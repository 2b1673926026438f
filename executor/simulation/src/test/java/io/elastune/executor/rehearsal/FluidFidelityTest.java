package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.estimate.Estimate;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.executor.simulation.FaultRates;
import io.elastune.simulator.Simulator;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/**
 * Compares executed with predicted results of clusters that Fluid divides (docs/searches.md).
 * {@code -Delastune.fidelity.fluid=60} compares 60 jobs with spread.
 */
class FluidFidelityTest {
  private static final int JOBS = Integer.getInteger("elastune.fidelity.fluid", 8);
  private static final int EXACT_JOBS = Integer.getInteger("elastune.fidelity.exactFluid", 100);
  private static final int DIFFERENT_PERCENT = 3;
  private static final int EXECUTIONS = 300;
  private static final int SAMPLES = 3_000;
  private static final double MEAN = 0.01;
  private static final double P95 = 0.03;
  private static final double ROUNDING = 1e-7;

  /** Without spread. Only the order of tasks that end at the same time may differ. */
  @Test
  void executesThePredictionToTheDigit() {
    List<String> different = new ArrayList<>();
    for (long seed = 1; seed <= EXACT_JOBS; seed++) {
      PlannedRandomJob job = RungFidelityTest.exactly(RandomFluidJobs.of(seed));
      Estimate predicted = new Simulator(job.problem(), 1).simulate(job.plan());
      RehearsedRun run = new Rehearsal(rehearsed(job)).run(seed);
      assertThat(run.violations()).as("job %d", seed).isEmpty();
      double time = PredictionGap.relative(run.completionS(), predicted.completionS().mean());
      double cost = PredictionGap.relative(run.costUsd(), predicted.costUsd().mean());
      assertThat(Math.max(time, cost)).as("job %d", seed).isLessThan(P95);
      if (Math.max(time, cost) > ROUNDING) {
        different.add("job %d: time %.6f, cost %.6f".formatted(seed, time, cost));
      }
    }
    assertThat(different).hasSizeLessThanOrEqualTo(EXACT_JOBS * DIFFERENT_PERCENT / 100);
  }

  @Test
  void independentDrawsConfirmThePrediction() {
    List<String> off = new ArrayList<>();
    double worst = 0;
    for (long seed = 1; seed <= JOBS; seed++) {
      PlannedRandomJob job = RandomFluidJobs.of(seed);
      Estimate predicted = new Simulator(job.problem(), SAMPLES).simulate(job.plan());
      Rehearsal rehearsal = new Rehearsal(rehearsed(job));
      double[] seconds = new double[EXECUTIONS];
      double[] usd = new double[EXECUTIONS];
      for (int i = 0; i < EXECUTIONS; i++) {
        RehearsedRun run = rehearsal.run(i);
        assertThat(run.violations()).as("job %d, seed %d", seed, i).isEmpty();
        seconds[i] = run.completionS();
        usd[i] = run.costUsd();
      }
      List<PredictionGap> gaps =
          List.of(
              PredictionGap.ofMean("time", seconds, predicted.completionS(), SAMPLES, MEAN),
              PredictionGap.ofMean("cost", usd, predicted.costUsd(), SAMPLES, MEAN),
              PredictionGap.ofP95("time", seconds, predicted.completionS(), SAMPLES, P95),
              PredictionGap.ofP95("cost", usd, predicted.costUsd(), SAMPLES, P95));
      worst = Math.max(worst, gaps.get(0).gap());
      if (gaps.stream().anyMatch(PredictionGap::exceedsSignificantly)) {
        off.add("job " + seed + " " + job.problem().policy() + ": " + gaps);
      }
    }
    System.out.printf("%d jobs with Fluid, largest gap of mean time %.3f %%%n", JOBS, 100 * worst);
    assertThat(off).isEmpty();
  }

  private static RehearsedJob rehearsed(PlannedRandomJob job) {
    return job.rehearsed(OptionalDouble.empty(), FaultRates.NONE);
  }
}
