package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.allocation.OtherProgramsExample;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.profile.MachineLoad;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.executor.simulation.FaultRates;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Executes the worked example "Other programs" of docs/model.md. */
class BesideOtherProgramsRehearsalTest {
  @Test
  void executionsTakeThePredictedTime() {
    Optional<MachineLoad> load = Optional.of(OtherProgramsExample.LOAD);

    assertThat(completionS(load, 2)).isCloseTo(75, within(1e-6));
    assertThat(completionS(load, 1)).isCloseTo(105, within(1e-6));
    assertThat(completionS(Optional.empty(), 2)).isCloseTo(80, within(1e-6));
    assertThat(completionS(Optional.empty(), 1)).isCloseTo(120, within(1e-6));
  }

  private static double completionS(Optional<MachineLoad> load, int instances) {
    Problem problem = OtherProgramsExample.problem(load);
    Plan plan =
        new Plan(
            false, Map.of("1", new Allocation(OtherProgramsExample.OFFER.name(), instances, 1, 1)));
    PlannedRandomJob job = new PlannedRandomJob(problem, plan);
    return new Rehearsal(job.rehearsed(OptionalDouble.empty(), FaultRates.NONE))
        .run(1)
        .completionS();
  }
}
