package io.elastune.executor.rehearsal;

import io.elastune.core.properties.Tier;

/**
 * Executes random searches under Hermes with all kinds of faults. {@code
 * -Delastune.rehearsal.hermes=100} executes 100 jobs.
 */
class HermesRehearsalTest extends PolicyRehearsalContract {
  HermesRehearsalTest() {
    super(RandomHermesJobs::of, Tier.runs("elastune.rehearsal.hermes", 8, 250));
  }
}
