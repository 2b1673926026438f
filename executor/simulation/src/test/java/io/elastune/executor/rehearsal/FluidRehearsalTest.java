package io.elastune.executor.rehearsal;

/**
 * Executes random jobs under Fluid with all kinds of faults. {@code -Delastune.rehearsal.fluid=100}
 * executes 100 jobs.
 */
class FluidRehearsalTest extends PolicyRehearsalContract {
  FluidRehearsalTest() {
    super(RandomFluidJobs::of, Integer.getInteger("elastune.rehearsal.fluid", 25));
  }
}
