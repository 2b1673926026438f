package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.properties.Tier;
import org.junit.jupiter.api.Test;

/**
 * Compares executed with predicted results of clusters that Fluid divides (docs/searches.md).
 * {@code -Delastune.fidelity.fluid=60} compares 60 jobs with spread.
 */
class FluidFidelityTest {
  private static final int JOBS = Tier.runs("elastune.fidelity.fluid", 1, 5);
  private static final int EXACT_JOBS = Tier.runs("elastune.fidelity.exactFluid", 4, 100);
  private static final double P95 = 0.03;
  private static final IndependentDraws DRAWS = IndependentDraws.of(3_000, 100);

  /** Without spread, also if tasks end at the same time. */
  @Test
  void executesThePredictionToTheDigit() {
    assertThat(DifferentExecutions.of(RandomFluidJobs::of, EXACT_JOBS, P95)).isEmpty();
  }

  /**
   * The same for trials whose durations depend on their hyperparameters. In every second job, they
   * also differ from what the profile expects.
   */
  @Test
  void executesThePredictionOfConfigurationsToTheDigit() {
    assertThat(DifferentExecutions.ofCurves(RandomFluidJobs::ofConfigurations, EXACT_JOBS, P95))
        .isEmpty();
  }

  /** The same for asynchronous searches. */
  @Test
  void executesThePredictionOfRungsToTheDigit() {
    assertThat(DifferentExecutions.ofCurves(RandomFluidJobs::ofRungs, EXACT_JOBS, P95)).isEmpty();
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
