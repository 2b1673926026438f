package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.decision.RunCore;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.executor.simulation.FaultRates;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/**
 * Executes random searches of HyperSched with all kinds of faults, among them controllers that are
 * killed at any step: every guarantee holds, and every trial is accounted for. {@code
 * -Delastune.rehearsal.hyperSched=100} executes 100 jobs.
 */
class HyperSchedRehearsalTest {
  private static final int JOBS = Integer.getInteger("elastune.rehearsal.hyperSched", 25);
  private static final HeavyRehearsals HEAVY =
      new HeavyRehearsals(
          RandomHyperSchedJobs::of,
          JOBS,
          job -> new Rehearsal(job, definition -> GpuUse.checked(new RunCore(definition))));

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
    PlannedRandomJob job = RandomHyperSchedJobs.of(3);
    Rehearsal rehearsal = new Rehearsal(job.rehearsed(OptionalDouble.empty(), FaultRates.HEAVY));

    assertThat(rehearsal.run(5)).isEqualTo(rehearsal.run(5));
  }
}
