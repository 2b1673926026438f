package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.estimate.Estimate;
import io.elastune.executor.decision.RunCore;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.decision.model.StepResult;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.executor.simulation.FaultRates;
import io.elastune.simulator.Simulator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Executes random jobs under Fluid with all kinds of faults, among them controllers that are killed
 * at any step: every guarantee holds, and every trial is accounted for. {@code
 * -Delastune.rehearsal.fluid=100} executes 100 jobs.
 */
class FluidRehearsalTest {
  private static final int JOBS = Integer.getInteger("elastune.rehearsal.fluid", 25);
  private static final int SEEDS = 6;

  @Test
  void keepsAllGuaranteesUnderHeavyFaults() {
    Set<Integer> exits = new HashSet<>();
    for (long seed = 1; seed <= JOBS; seed++) {
      PlannedRandomJob job = RandomFluidJobs.of(seed);
      check(job.rehearsed(OptionalDouble.empty(), FaultRates.HEAVY), seed, exits);
    }
    assertThat(exits).contains(0);
  }

  /** With profiles, every step forecasts the rest of the run, and limits can end it. */
  @Test
  void keepsAllGuaranteesWithLimits() {
    Set<Integer> exits = new HashSet<>();
    for (long seed = 1; seed <= JOBS; seed++) {
      PlannedRandomJob job = RandomFluidJobs.of(seed);
      Estimate predicted = new Simulator(job.problem(), 64).simulate(job.plan());
      double deadlineS = predicted.completionS().mean() * (seed % 3 == 0 ? 1 : 4);
      double budgetUsd = predicted.costUsd().mean() * (seed % 2 == 0 ? 1.1 : 4);
      check(job.replanned(deadlineS, budgetUsd, 1.2, FaultRates.HEAVY), seed, exits);
    }
    assertThat(exits).contains(0);
  }

  private static void check(RehearsedJob job, long seed, Set<Integer> exits) {
    Rehearsal rehearsal = new Rehearsal(job, definition -> checked(new RunCore(definition)));
    for (int run = 0; run < SEEDS; run++) {
      RehearsedRun rehearsed = rehearsal.run(run);
      assertThat(rehearsed.violations()).as("job %d, seed %d", seed, run).isEmpty();
      exits.add(rehearsed.exit());
    }
  }

  /** Fails if a step puts more on a GPU than fits. */
  private static DecisionFunction checked(RunCore core) {
    return (state, event) -> {
      StepResult step = core.step(state, event);
      Map<GpuSlot, Double> used = new HashMap<>();
      for (AttemptState attempt : step.state().attempts().values()) {
        double share = 1.0 / attempt.trialsPerGpu();
        attempt.places().forEach(gpu -> used.merge(gpu, share, Double::sum));
      }
      assertThat(used.values()).as("use of GPUs after %s", event).allMatch(sum -> sum < 1.001);
      return step;
    };
  }

  /** The same seed gives the same run, event for event, although controllers are killed. */
  @Test
  void repeatsARunExactly() {
    PlannedRandomJob job = RandomFluidJobs.of(3);
    Rehearsal rehearsal = new Rehearsal(job.rehearsed(OptionalDouble.empty(), FaultRates.HEAVY));

    assertThat(rehearsal.run(5)).isEqualTo(rehearsal.run(5));
  }
}
