package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.properties.Tier;
import io.elastune.executor.simulation.FaultRates;
import io.elastune.simulator.Simulator;
import io.elastune.simulator.sample.JointSamples;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Executes plans with spare instances: runs take as long and cost as much as predicted, end earlier
 * than without them, and violate no guarantee with heavy faults.
 */
class SpareRehearsalTest {
  private static final Offer OFFER = SpotJob.offer(1.5, 0);
  private static final Problem PROBLEM =
      SpotJob.problem(OptionalDouble.empty(), 15, List.of(OFFER));
  private static final int RUNS = Tier.runs("elastune.spare.runs", 100, 2000);
  private static final int SAMPLES = 4000;

  private static Plan plan(int spare) {
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    allocations.put("1", new Allocation(OFFER.name(), 8, 1, 1).withMoreSpare(spare));
    allocations.put("2", new Allocation(OFFER.name(), 4, 2, 1).withMoreSpare(spare));
    allocations.put("3", new Allocation(OFFER.name(), 2, 4, 1).withMoreSpare(spare));
    return new Plan(false, allocations);
  }

  private static List<RehearsedRun> runs(Plan plan, FaultRates faults, int runs) {
    Rehearsal rehearsal =
        new Rehearsal(
            new RehearsedJob(
                SpotJob.definition(
                    PROBLEM, plan, new Simulator(PROBLEM, SAMPLES).simulate(plan), false),
                PROBLEM,
                2,
                faults));
    return IntStream.range(0, runs).mapToObj(rehearsal::run).toList();
  }

  @Test
  void executedRunsAreAsPredicted() {
    JointSamples predicted = new Simulator(PROBLEM, SAMPLES).sample(plan(1));
    List<RehearsedRun> executed = runs(plan(1), FaultRates.NONE, RUNS);

    assertThat(executed).allSatisfy(run -> assertThat(run.violations()).isEmpty());
    check(
        "seconds",
        executed.stream().mapToDouble(RehearsedRun::completionS),
        predicted.completionS());
    check("USD", executed.stream().mapToDouble(RehearsedRun::costUsd), predicted.costUsd());
    double withoutS = mean(new Simulator(PROBLEM, SAMPLES).sample(plan(0)).completionS());
    assertThat(mean(predicted.completionS())).isLessThan(0.97 * withoutS);
  }

  private static void check(String what, DoubleStream executed, double[] predicted) {
    double[] values = executed.toArray();
    double error = deviation(values) / Math.sqrt(values.length);
    assertThat(mean(values))
        .as("mean %s", what)
        .isCloseTo(mean(predicted), within(0.01 * mean(predicted) + 4 * error));
  }

  @Test
  void heavyFaultsViolateNoGuarantee() {
    assertThat(runs(plan(1), FaultRates.HEAVY, RUNS))
        .allSatisfy(run -> assertThat(run.violations()).isEmpty());
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  private static double deviation(double[] values) {
    double mean = mean(values);
    return Math.sqrt(Arrays.stream(values).map(v -> (v - mean) * (v - mean)).average().orElse(0));
  }
}
