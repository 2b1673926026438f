package io.elastune.executor.rehearsal;

/**
 * Executes random searches of HyperSched with all kinds of faults. {@code
 * -Delastune.rehearsal.hyperSched=100} executes 100 jobs.
 */
class HyperSchedRehearsalTest extends PolicyRehearsalContract {
  HyperSchedRehearsalTest() {
    super(RandomHyperSchedJobs::of, Integer.getInteger("elastune.rehearsal.hyperSched", 25));
  }
}
