package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.RungRule.Variant;
import io.elastune.core.properties.Tier;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.executor.simulation.FaultRates;
import java.util.HashSet;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Executes random asynchronous searches with all kinds of faults, among them controllers that are
 * killed at any step: every guarantee holds, and every trial is accounted for.
 */
class RungRehearsalTest {
  private static final int JOBS = Tier.runs("elastune.rehearsal.rungs", 8, 250);
  private static final int SEEDS = 6;

  @ParameterizedTest
  @EnumSource(Variant.class)
  void keepsAllGuaranteesUnderHeavyFaults(Variant variant) {
    Set<Integer> exits = new HashSet<>();
    for (long seed = 1; seed <= JOBS; seed++) {
      PlannedRandomJob job = RungFidelityTest.job(seed, variant);
      Rehearsal rehearsal = new Rehearsal(job.rehearsed(OptionalDouble.empty(), FaultRates.HEAVY));
      for (int run = 0; run < SEEDS; run++) {
        RehearsedRun rehearsed = rehearsal.run(run);
        assertThat(rehearsed.violations()).as("%s, job %d, seed %d", variant, seed, run).isEmpty();
        exits.add(rehearsed.exit());
      }
    }
    assertThat(exits).contains(0);
  }

  /** The same seed gives the same run, event for event, although controllers are killed. */
  @ParameterizedTest
  @EnumSource(Variant.class)
  void repeatsARunExactly(Variant variant) {
    PlannedRandomJob job = RungFidelityTest.job(3, variant);
    Rehearsal rehearsal = new Rehearsal(job.rehearsed(OptionalDouble.empty(), FaultRates.HEAVY));

    assertThat(rehearsal.run(5)).isEqualTo(rehearsal.run(5));
  }
}
