package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.properties.Tier;
import org.junit.jupiter.api.Test;

/**
 * Compares executed with predicted results of clusters that policies divide, with lost instances
 * and failed trials. {@code -Delastune.fidelity.policyFaults=15} compares 15 jobs of each policy.
 */
class PolicyFaultsFidelityTest {
  private static final int JOBS = Tier.runs("elastune.fidelity.policyFaults", 1, 8);
  private static final IndependentDraws DRAWS = IndependentDraws.of(2_000, 200);

  @Test
  void independentDrawsConfirmThePredictionOfFluid() {
    assertThat(DRAWS.off("with Fluid and faults", JOBS, seed -> faulty(RandomFluidJobs.of(seed))))
        .isEmpty();
  }

  @Test
  void independentDrawsConfirmThePredictionOfRungsUnderFluid() {
    assertThat(
            DRAWS.off(
                "with rungs under Fluid and faults",
                JOBS,
                seed -> faulty(RandomFluidJobs.ofRungs(seed))))
        .isEmpty();
  }

  @Test
  void independentDrawsConfirmThePredictionOfHermes() {
    assertThat(DRAWS.off("with Hermes and faults", JOBS, seed -> faulty(RandomHermesJobs.of(seed))))
        .isEmpty();
  }

  @Test
  void independentDrawsConfirmThePredictionOfHyperSched() {
    assertThat(
            DRAWS.off(
                "with HyperSched and faults", JOBS, seed -> faulty(RandomHyperSchedJobs.of(seed))))
        .isEmpty();
  }

  private static RandomRehearsals.PlannedRandomJob faulty(RandomRehearsals.PlannedRandomJob job) {
    return FaultyJobs.of(job);
  }
}
