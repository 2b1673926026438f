package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.world.Faults;
import io.elastune.simulator.Simulator;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests the rehearsal itself: it detects each deliberate defect, and reports nothing without one.
 */
class SabotageTest {
  private static final int SEEDS = 1000;
  private static final int JOB = 3;

  @ParameterizedTest
  @EnumSource(Sabotage.class)
  void defectIsDetected(Sabotage sabotage) {
    Rehearsal correct = new Rehearsal(job());
    Rehearsal sabotaged = new Rehearsal(job(), sabotage::in);
    for (int seed = 1; seed <= SEEDS; seed++) {
      RehearsedRun run = sabotaged.play(seed);
      if (!run.broken().isEmpty()) {
        System.out.printf("%s: detected with seed %d: %s%n", sabotage, seed, run.broken());
        assertThat(correct.play(seed).broken()).as("the same run without the defect").isEmpty();
        return;
      }
    }
    assertThat(sabotage).as("not detected within %d seeds", SEEDS).isNull();
  }

  /** Returns a job with tight limits, so that runs sometimes reach them. */
  private static RehearsedJob job() {
    RandomJobs.Planned planned = RandomJobs.of(JOB);
    var estimate = new Simulator(planned.problem(), 500).simulate(planned.plan());
    RehearsedJob job = planned.rehearsed(OptionalDouble.empty(), Faults.HEAVY);
    RunDefinition limited =
        job.definition()
            .withLimits(
                Optional.empty(),
                OptionalDouble.of(1.6 * estimate.costUsd().mean()),
                OptionalDouble.of(1.5 * estimate.completionS().mean()));
    return new RehearsedJob(limited, job.problem(), job.keep(), job.faults());
  }
}
