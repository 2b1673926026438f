package io.elastune.executor.rehearsal;

import io.elastune.core.properties.Tier;

/**
 * Executes random asynchronous searches under Fluid with all kinds of faults. {@code
 * -Delastune.rehearsal.fluidRungs=100} executes 100 jobs.
 */
class FluidRungRehearsalTest extends PolicyRehearsalContract {
  FluidRungRehearsalTest() {
    super(RandomFluidJobs::ofRungs, Tier.runs("elastune.rehearsal.fluidRungs", 1, 20));
  }
}
