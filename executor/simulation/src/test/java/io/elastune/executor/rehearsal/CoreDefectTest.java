package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.job.Budget;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.simulation.FaultRates;
import io.elastune.simulator.Simulator;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests the rehearsal itself: it detects each deliberate defect, and reports nothing without one.
 */
class CoreDefectTest {
  private static final int SEEDS = 1000;
  private static final int JOB = 3;

  /** Seeds before those that detect a rare defect. All others follow if the core has changed. */
  private static final Map<CoreDefect, Integer> FIRST =
      Map.of(CoreDefect.RELEASE_REQUESTED_ONCE, 240, CoreDefect.RESUMED_WITHOUT_LISTING, 445);

  @ParameterizedTest
  @EnumSource(CoreDefect.class)
  void defectIsDetected(CoreDefect coreDefect) {
    Rehearsal correct = new Rehearsal(job());
    Rehearsal sabotaged = new Rehearsal(job(), coreDefect::apply);
    int first = FIRST.getOrDefault(coreDefect, 1);
    for (int i = 0; i < SEEDS; i++) {
      int seed = (first - 1 + i) % SEEDS + 1;
      RehearsedRun run = sabotaged.run(seed);
      if (!run.violations().isEmpty()) {
        System.out.printf("%s: detected with seed %d: %s%n", coreDefect, seed, run.violations());
        assertThat(correct.run(seed).violations()).as("the same run without the defect").isEmpty();
        return;
      }
    }
    assertThat(coreDefect).as("not detected within %d seeds", SEEDS).isNull();
  }

  /** Returns a job with tight limits, so that runs sometimes reach them. */
  private static RehearsedJob job() {
    RandomRehearsals.PlannedRandomJob plannedRandomJob = RandomRehearsals.of(JOB);
    var estimate = new Simulator(plannedRandomJob.problem(), 500).simulate(plannedRandomJob.plan());
    RehearsedJob job = plannedRandomJob.rehearsed(OptionalDouble.empty(), FaultRates.HEAVY);
    double budgetUsd = 1.6 * estimate.costUsd().mean();
    RunDefinition limited =
        job.definition()
            .withLimits(
                Optional.of(new Budget(budgetUsd, 1, Budget.OnReach.STOP)),
                OptionalDouble.of(budgetUsd),
                OptionalDouble.of(1.5 * estimate.completionS().mean()));
    return new RehearsedJob(limited, job.problem(), job.keep(), job.faults());
  }
}
