package io.elastune.executor.rehearsal;

import io.elastune.core.properties.Tier;

/**
 * Executes random searches of HyperSched with all kinds of faults. {@code
 * -Delastune.rehearsal.hyperSched=100} executes 100 jobs.
 */
class HyperSchedRehearsalTest extends PolicyRehearsalContract {
  HyperSchedRehearsalTest() {
    super(RandomHyperSchedJobs::of, Tier.runs("elastune.rehearsal.hyperSched", 8, 250));
  }
}
