package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.properties.Tier;
import io.elastune.executor.decision.RunCore;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.executor.replan.PlannerReplanner;
import io.elastune.executor.replan.ReplanService;
import io.elastune.executor.simulation.FaultRates;
import io.elastune.simulator.Simulator;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Compares runs whose new plans are chosen by samples of the rest with the same runs whose new
 * plans are chosen by mean values: random jobs with faults, and with trials that are slower than
 * profiled.
 */
class ReplanChoiceTest {
  private static final int JOBS = Tier.runs("elastune.rehearsal.choices", 3, 200);
  private static final List<Setting> SETTINGS =
      List.of(
          new Setting(1.15, 1.05, FaultRates.NORMAL),
          new Setting(1.5, 1.2, FaultRates.NORMAL),
          new Setting(1.15, 1.2, FaultRates.HEAVY));

  /**
   * How a run differs from its prediction.
   *
   * @param slower factor by which trials are slower than profiled
   * @param deadline by the predicted mean
   */
  private record Setting(double slower, double deadline, FaultRates faults) {}

  @Test
  void samplesMeetAsManyDeadlines() {
    int sampled = 0;
    int meanValues = 0;
    int onlySampled = 0;
    int onlyMeanValues = 0;
    double sampledUsd = 0;
    double meanValueUsd = 0;
    int runs = 0;
    for (int job = 1; job <= JOBS; job++) {
      PlannedRandomJob planned = RandomRehearsals.of(job);
      Estimate estimate = new Simulator(planned.problem(), 200).simulate(planned.plan());
      for (Setting setting : SETTINGS) {
        RehearsedJob rehearsed =
            planned.replanned(
                setting.deadline() * estimate.completionS().mean(),
                3 * estimate.costUsd().mean(),
                setting.slower(),
                setting.faults());
        RehearsedRun one = run(rehearsed, job, PlannerReplanner::new);
        RehearsedRun other =
            run(rehearsed, job, of -> new PlannerReplanner(of, MeanValuePlans::new));
        assertThat(one.violations()).as("job %d, %s", job, setting).isEmpty();
        boolean isOnTime = one.exit() == 0;
        boolean wasOnTime = other.exit() == 0;
        sampled += isOnTime ? 1 : 0;
        meanValues += wasOnTime ? 1 : 0;
        onlySampled += isOnTime && !wasOnTime ? 1 : 0;
        onlyMeanValues += wasOnTime && !isOnTime ? 1 : 0;
        // As parts of the predicted cost, so that each job counts as much.
        sampledUsd += one.costUsd() / estimate.costUsd().mean();
        meanValueUsd += other.costUsd() / estimate.costUsd().mean();
        runs++;
      }
    }
    System.out.printf(
        "ReplanChoiceTest: of %d runs, %d are on time by samples, %d by mean values"
            + " (only: %d, %d); cost %+.2f %%%n",
        runs,
        sampled,
        meanValues,
        onlySampled,
        onlyMeanValues,
        100 * (sampledUsd / meanValueUsd - 1));
    // Three standard errors of runs that differ by chance.
    assertThat(onlyMeanValues - onlySampled)
        .isLessThanOrEqualTo((int) (3 * Math.sqrt(onlySampled + onlyMeanValues)));
  }

  private static RehearsedRun run(
      RehearsedJob job, long seed, Function<RunDefinition, ReplanService> planners) {
    return new Rehearsal(job, definition -> new RunCore(definition)::step, planners).run(seed);
  }
}
