package io.elastune.executor.rehearsal;

import io.elastune.core.properties.Tier;

/**
 * Executes random jobs under Fluid with all kinds of faults. {@code -Delastune.rehearsal.fluid=100}
 * executes 100 jobs.
 */
class FluidRehearsalTest extends PolicyRehearsalContract {
  FluidRehearsalTest() {
    super(RandomFluidJobs::of, Tier.runs("elastune.rehearsal.fluid", 5, 250));
  }
}
