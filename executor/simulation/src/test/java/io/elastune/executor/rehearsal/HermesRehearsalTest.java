package io.elastune.executor.rehearsal;

/**
 * Executes random searches under Hermes with all kinds of faults. {@code
 * -Delastune.rehearsal.hermes=100} executes 100 jobs.
 */
class HermesRehearsalTest extends PolicyRehearsalContract {
  HermesRehearsalTest() {
    super(RandomHermesJobs::of, Integer.getInteger("elastune.rehearsal.hermes", 25));
  }
}
