package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.RungRule.Variant;
import io.elastune.core.properties.Tier;
import io.elastune.executor.decision.model.SamplerRule;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.executor.simulation.FaultRates;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Executes random searches whose sampler fails at times, with all kinds of faults and with killed
 * controllers: every guarantee holds.
 */
class SampledRehearsalTest {
  private static final int JOBS = Tier.runs("elastune.rehearsal.sampled", 6, 200);
  private static final int SEEDS = 5;

  @Test
  void keepsAllGuaranteesUnderHeavyFaults() {
    Set<Integer> exits = new HashSet<>();
    for (long seed = 1; seed <= JOBS; seed++) {
      for (PlannedRandomJob job :
          new PlannedRandomJob[] {
            RandomRehearsals.of(seed), RungFidelityTest.job(seed, Variant.PROMOTION)
          }) {
        RehearsedJob plain = job.rehearsed(OptionalDouble.empty(), FaultRates.HEAVY);
        RehearsedJob sampled =
            new RehearsedJob(
                plain.definition().withSampler(Optional.of(new SamplerRule(2, false, true))),
                plain.problem(),
                plain.keep(),
                plain.faults());
        Rehearsal rehearsal = new Rehearsal(sampled);
        for (int run = 0; run < SEEDS; run++) {
          RehearsedRun rehearsed = rehearsal.run(run);
          assertThat(rehearsed.violations()).as("job %d, seed %d", seed, run).isEmpty();
          exits.add(rehearsed.exit());
        }
      }
    }
    assertThat(exits).contains(0);
  }
}
