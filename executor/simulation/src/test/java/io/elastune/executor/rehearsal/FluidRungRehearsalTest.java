package io.elastune.executor.rehearsal;

/**
 * Executes random asynchronous searches under Fluid with all kinds of faults. {@code
 * -Delastune.rehearsal.fluidRungs=100} executes 100 jobs.
 */
class FluidRungRehearsalTest extends PolicyRehearsalContract {
  FluidRungRehearsalTest() {
    super(RandomFluidJobs::ofRungs, Integer.getInteger("elastune.rehearsal.fluidRungs", 2));
  }
}
