package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.Workload;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.executor.simulation.FaultRates;
import io.elastune.simulator.Simulator;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/**
 * Compares predicted and executed cost where only the use of instances is billed. A job of the
 * calibration of faults has nine trials on two instances of eight slots: eight and one of them cost
 * less than five and four, which the executor chose while promoted trials stayed where they were.
 */
class UseBillingTest {
  private static final long JOB = 139;
  private static final String CHAIN = "b";
  private static final int RUNS = 400;
  private static final double STANDARD_ERRORS = 4;

  @Test
  void trialsFillOneInstanceAfterTheOther() {
    PlannedRandomJob job = chain(RandomRehearsals.of(JOB));
    double predicted =
        Arrays.stream(new Simulator(job.problem(), 10_000).sample(job.plan()).costUsd())
            .average()
            .orElseThrow();
    Rehearsal rehearsal = new Rehearsal(job.rehearsed(OptionalDouble.empty(), FaultRates.NONE));
    double[] costUsd = new double[RUNS];
    Arrays.setAll(costUsd, seed -> rehearsal.run(seed).costUsd());
    double mean = Arrays.stream(costUsd).average().orElseThrow();
    double variance =
        Arrays.stream(costUsd).map(usd -> (usd - mean) * (usd - mean)).sum() / (RUNS - 1);

    assertThat(mean).isCloseTo(predicted, within(STANDARD_ERRORS * Math.sqrt(variance / RUNS)));
  }

  private static PlannedRandomJob chain(PlannedRandomJob job) {
    Problem problem = job.problem();
    Plan plan = job.plan();
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    plan.allocations()
        .forEach(
            (group, allocation) -> {
              if (group.startsWith(CHAIN + ".")) {
                allocations.put(group, allocation);
              }
            });
    List<Chain> chains =
        problem.workload().chains().stream().filter(c -> c.name().equals(CHAIN)).toList();
    Workload workload =
        new Workload(chains, Optional.empty(), Optional.empty(), OptionalDouble.empty());
    return new PlannedRandomJob(
        problem.withWorkload(workload), new Plan(plan.hold(), plan.shared(), allocations));
  }
}
