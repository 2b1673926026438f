package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.IntRange;
import io.elastune.core.billing.HourlyCosts;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.properties.Tier;
import io.elastune.executor.decision.WorkedExampleRun;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.executor.simulation.FaultRates;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares executed with predicted results of chains that share instances (docs/searches.md). */
class PoolFidelityTest {
  private static final int JOBS = Tier.runs("elastune.fidelity.pools", 2, 20);
  private static final int EXACT_JOBS = Tier.runs("elastune.fidelity.exactPools", 30, 500);
  private static final int DIFFERENT_PERCENT = 3;
  private static final double P95 = 0.03;
  private static final IndependentDraws DRAWS = IndependentDraws.of(10_000, 400);

  /** The examples of docs/searches.md: GPUs per trial, by bracket. */
  @ParameterizedTest
  @CsvSource({
    "1, 1 1 1 1 1 1, 755.000, 2.5160",
    "1, 1 1 2 1 2 1, 671.257, 2.2338",
    "2, 1 1 4 1 2 1, 417.616, 2.5500",
    "3, 1 2 4 1 2 2, 339.702, 2.8798"
  })
  void executesTheExamples(int instances, String gpus, double completionS, double usd) {
    PlannedRandomJob job = example(instances, gpus);
    RehearsedRun run = new Rehearsal(rehearsed(job)).run(1);

    assertThat(run.violations()).isEmpty();
    assertThat(run.completionS()).isCloseTo(completionS, within(0.0005));
    assertThat(run.costUsd()).isCloseTo(usd, within(0.00005));
  }

  /**
   * Without spread. Only the order of tasks that end at the same time may differ: the prediction
   * handles them in the order of their start, and the simulated environment in that of their last
   * reports.
   */
  @Test
  void executesThePredictionToTheDigit() {
    List<String> different = DifferentExecutions.of(RandomPools::of, EXACT_JOBS, P95);

    assertThat(different)
        .hasSizeLessThanOrEqualTo(Math.max(1, EXACT_JOBS * DIFFERENT_PERCENT / 100));
  }

  @Test
  void independentDrawsConfirmThePrediction() {
    assertThat(DRAWS.off("with shared instances", JOBS, RandomPools::of)).isEmpty();
  }

  private static RehearsedJob rehearsed(PlannedRandomJob job) {
    return job.rehearsed(OptionalDouble.empty(), FaultRates.NONE);
  }

  /** Hyperband(9, 3). */
  private static PlannedRandomJob example(int instances, String gpus) {
    Workload workload =
        new Workload(
            List.of(chain("a", 9, 1, 3, 3, 1, 9), chain("b", 5, 3, 1, 9), chain("c", 3, 9)));
    Problem problem =
        new Problem(
            workload,
            List.of(WorkedExampleRun.OFFER),
            Map.of("V100", WorkedExampleRun.PROFILE),
            new IntRange(1, 8),
            new Limits(OptionalDouble.empty(), OptionalDouble.empty(), 0.95, 64, 1e9),
            HourlyCosts.NONE,
            1);
    String[] sizes = gpus.split(" ", -1);
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    for (TrialGroup group : workload.groups()) {
      int size = Integer.parseInt(sizes[allocations.size()]);
      allocations.put(
          group.name(), new Allocation(WorkedExampleRun.OFFER.name(), instances, size, 1));
    }
    return new PlannedRandomJob(problem, new Plan(false, true, allocations));
  }

  /** {@code trialsAndUnits}: for each group, its trials and the units at its end. */
  private static Chain chain(String name, int... trialsAndUnits) {
    List<TrialGroup> groups = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < trialsAndUnits.length; i += 2) {
      int to = trialsAndUnits[i + 1];
      groups.add(new TrialGroup(name + "." + (i / 2 + 1), trialsAndUnits[i], from, to));
      from = to;
    }
    return new Chain(name, groups);
  }
}
