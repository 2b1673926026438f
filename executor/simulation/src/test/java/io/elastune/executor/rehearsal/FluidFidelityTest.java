package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Compares executed with predicted results of clusters that Fluid divides (docs/searches.md).
 * {@code -Delastune.fidelity.fluid=60} compares 60 jobs with spread.
 */
class FluidFidelityTest {
  private static final int JOBS = Integer.getInteger("elastune.fidelity.fluid", 3);
  private static final int EXACT_JOBS = Integer.getInteger("elastune.fidelity.exactFluid", 30);
  private static final int DIFFERENT_PERCENT = 3;
  private static final double P95 = 0.03;
  private static final double RUNGS_P95 = 0.5;
  private static final IndependentDraws DRAWS = IndependentDraws.of(3_000, 100);

  /** Without spread. Only the order of tasks that end at the same time may differ. */
  @Test
  void executesThePredictionToTheDigit() {
    List<String> different = DifferentExecutions.of(RandomFluidJobs::of, EXACT_JOBS, P95);

    assertThat(different)
        .hasSizeLessThanOrEqualTo(Math.max(1, EXACT_JOBS * DIFFERENT_PERCENT / 100));
  }

  /** The same for asynchronous searches whose trials differ in speed. */
  @Test
  void executesThePredictionOfRungsToTheDigit() {
    List<String> different =
        DifferentExecutions.ofCurves(RandomFluidJobs::ofRungs, EXACT_JOBS, RUNGS_P95);

    assertThat(different)
        .hasSizeLessThanOrEqualTo(Math.max(1, EXACT_JOBS * DIFFERENT_PERCENT / 100));
  }

  @Test
  void independentDrawsConfirmThePredictionOfRungs() {
    assertThat(DRAWS.off("with rungs under Fluid", JOBS, RandomFluidJobs::ofRungs)).isEmpty();
  }

  @Test
  void independentDrawsConfirmThePrediction() {
    assertThat(DRAWS.off("with Fluid", JOBS, RandomFluidJobs::of)).isEmpty();
  }
}
