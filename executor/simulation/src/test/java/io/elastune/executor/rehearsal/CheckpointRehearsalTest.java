package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.IntRange;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.properties.Tier;
import io.elastune.executor.simulation.FaultRates;
import io.elastune.simulator.Simulator;
import io.elastune.simulator.sample.JointSamples;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Executes a job whose instances fail often, and whose trials save checkpoints as Elastune decides:
 * the executed runs take as long as predicted, and longer with any other interval.
 */
class CheckpointRehearsalTest {
  private static final Offer OFFER = SpotJob.offer(1, 0);
  private static final int RUNS = Tier.runs(100, 200);
  private static final int SAMPLES = 4000;

  private static Plan plan() {
    Map<String, Allocation> allocations = new TreeMap<>();
    allocations.put("1", new Allocation(OFFER.name(), 8, 1, 1));
    allocations.put("2", new Allocation(OFFER.name(), 4, 2, 1));
    allocations.put("3", new Allocation(OFFER.name(), 2, 4, 1));
    return new Plan(false, allocations);
  }

  /** Returns the mean seconds of executed runs, which must be as predicted. */
  private static double executedS(int low, int high) {
    Problem base = SpotJob.problem(OptionalDouble.empty(), 15, List.of(OFFER));
    Problem problem =
        base.withWorkload(base.workload().saving(Optional.of(new IntRange(low, high))));
    Simulator simulator = new Simulator(problem, SAMPLES);
    JointSamples predicted = simulator.sample(plan());
    Rehearsal rehearsal =
        new Rehearsal(
            new RehearsedJob(
                SpotJob.definition(problem, plan(), simulator.simulate(plan()), false),
                problem,
                2,
                FaultRates.NONE));
    double[] executed = new double[RUNS];
    for (int seed = 0; seed < RUNS; seed++) {
      RehearsedRun run = rehearsal.run(seed);
      assertThat(run.violations()).isEmpty();
      executed[seed] = run.completionS();
    }
    double meanS = mean(predicted.completionS());
    double errorS = deviation(executed) / Math.sqrt(RUNS);
    assertThat(mean(executed))
        .as("mean seconds with checkpoints every %d to %d units", low, high)
        .isCloseTo(meanS, within(0.01 * meanS + 4 * errorS));
    return mean(executed);
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  private static double deviation(double[] values) {
    double mean = mean(values);
    return Math.sqrt(Arrays.stream(values).map(v -> (v - mean) * (v - mean)).average().orElse(0));
  }

  @Test
  void chosenIntervalIsFasterThanTheEndsOfItsRange() {
    double chosenS = executedS(1, 1000);

    assertThat(executedS(1, 1)).isGreaterThan(1.05 * chosenS);
    assertThat(executedS(1000, 1000)).isGreaterThan(1.05 * chosenS);
  }
}
