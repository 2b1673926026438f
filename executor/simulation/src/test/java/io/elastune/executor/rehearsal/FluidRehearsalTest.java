package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.decision.RunCore;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.executor.simulation.FaultRates;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/**
 * Executes random jobs under Fluid with all kinds of faults, among them controllers that are killed
 * at any step: every guarantee holds, and every trial is accounted for. {@code
 * -Delastune.rehearsal.fluid=100} executes 100 jobs.
 */
class FluidRehearsalTest {
  private static final int JOBS = Integer.getInteger("elastune.rehearsal.fluid", 25);
  private static final HeavyRehearsals HEAVY =
      new HeavyRehearsals(
          RandomFluidJobs::of,
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
    PlannedRandomJob job = RandomFluidJobs.of(3);
    Rehearsal rehearsal = new Rehearsal(job.rehearsed(OptionalDouble.empty(), FaultRates.HEAVY));

    assertThat(rehearsal.run(5)).isEqualTo(rehearsal.run(5));
  }
}
