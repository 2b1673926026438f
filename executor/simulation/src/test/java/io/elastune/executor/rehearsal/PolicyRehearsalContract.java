package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.decision.RunCore;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.executor.simulation.FaultRates;
import java.util.OptionalDouble;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/**
 * Executes random jobs of a policy with all kinds of faults, among them controllers that are killed
 * at any step: every guarantee holds, and every trial is accounted for.
 */
abstract class PolicyRehearsalContract {
  private final LongFunction<PlannedRandomJob> jobs;
  private final HeavyRehearsals heavy;

  /**
   * Creates the tests of a policy.
   *
   * @param jobs returns the job of a number
   * @param last the last job; the first is 1
   */
  PolicyRehearsalContract(LongFunction<PlannedRandomJob> jobs, int last) {
    this.jobs = jobs;
    this.heavy =
        new HeavyRehearsals(
            jobs,
            last,
            job -> new Rehearsal(job, definition -> GpuUse.checked(new RunCore(definition))));
  }

  @Test
  void keepsAllGuaranteesUnderHeavyFaults() {
    assertThat(heavy.exits()).contains(0);
  }

  @Test
  void keepsAllGuaranteesWithLimits() {
    assertThat(heavy.exitsWithLimits()).contains(0);
  }

  /** The same seed gives the same run, event for event, although controllers are killed. */
  @Test
  void repeatsARunExactly() {
    PlannedRandomJob job = jobs.apply(3);
    Rehearsal rehearsal = new Rehearsal(job.rehearsed(OptionalDouble.empty(), FaultRates.HEAVY));

    assertThat(rehearsal.run(5)).isEqualTo(rehearsal.run(5));
  }
}
