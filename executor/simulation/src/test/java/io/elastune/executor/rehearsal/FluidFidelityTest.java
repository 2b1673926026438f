package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.executor.simulation.FaultRates;
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
  private static final double P95 = 0.03;
  private static final IndependentDraws DRAWS = new IndependentDraws(3_000, 300, 0.01, P95);

  /** Without spread. Only the order of tasks that end at the same time may differ. */
  @Test
  void executesThePredictionToTheDigit() {
    List<String> different = DifferentExecutions.of(RandomFluidJobs::of, EXACT_JOBS, P95);

    assertThat(different).hasSizeLessThanOrEqualTo(EXACT_JOBS * DIFFERENT_PERCENT / 100);
  }

  @Test
  void independentDrawsConfirmThePrediction() {
    List<String> off = new ArrayList<>();
    double worst = 0;
    for (long seed = 1; seed <= JOBS; seed++) {
      PlannedRandomJob job = RandomFluidJobs.of(seed);
      List<PredictionGap> gaps = DRAWS.gaps(job, new Rehearsal(rehearsed(job)), seed);
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
