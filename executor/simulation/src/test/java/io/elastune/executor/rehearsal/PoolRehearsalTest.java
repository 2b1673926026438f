package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.properties.Tier;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.executor.simulation.FaultRates;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/**
 * Executes random jobs whose chains share instances with all kinds of faults, among them
 * controllers that are killed at any step: every guarantee holds, and every trial is accounted for.
 * {@code -Delastune.rehearsal.pools=100} executes 100 jobs.
 */
class PoolRehearsalTest {
  private static final int JOBS = Tier.runs("elastune.rehearsal.pools", 8, 250);
  private static final HeavyRehearsals HEAVY =
      new HeavyRehearsals(RandomPools::of, JOBS, Rehearsal::new);

  @Test
  void keepsAllGuaranteesUnderHeavyFaults() {
    assertThat(HEAVY.exits()).contains(0);
  }

  @Test
  void keepsAllGuaranteesWithLimits() {
    assertThat(HEAVY.exitsWithLimits()).contains(0);
  }

  /** The same seed gives the same run, event for event, although controllers are killed. */
  @Test
  void repeatsARunExactly() {
    PlannedRandomJob job = RandomPools.of(3);
    Rehearsal rehearsal = new Rehearsal(job.rehearsed(OptionalDouble.empty(), FaultRates.HEAVY));

    assertThat(rehearsal.run(5)).isEqualTo(rehearsal.run(5));
  }
}
