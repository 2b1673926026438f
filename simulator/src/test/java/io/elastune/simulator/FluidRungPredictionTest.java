package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.Spread;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.FixedCluster;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.policy.FluidOptions;
import io.elastune.core.policy.ListOptions;
import io.elastune.core.policy.PolicyOptions;
import io.elastune.core.profile.Profile;
import io.elastune.core.search.TraceEvent;
import io.elastune.simulator.rank.RankModel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Checks the predictions of asynchronous searches under Fluid (docs/searches.md, "Fluid"). */
class FluidRungPredictionTest {
  private static final Map<Integer, Double> SECONDS =
      Map.of(1, 30.0, 2, 30.0 / 1.870, 4, 30.0 / 3.421, 8, 30.0 / 5.598);
  private static final Profile PROFILE =
      WorkedExample.profile("V100", SECONDS, Map.of(), Spread.exactly(10), 0, 0);

  /**
   * Four trials fill the instance after 75 s. The first one is promoted at 115 s, when nothing else
   * is left to do: it has all four GPUs, and trains 3 units.
   */
  @Test
  void givesTheLastTrialAllGpus() {
    Problem problem = problem(rungs(List.of(1, 4), 4, 4), 1, FluidOptions.DEFAULT);

    assertThat(completionS(problem, 1)).isCloseTo(115 + 10 + 3 * 30 / 3.421, within(1e-6));
    assertThat(completionS(problem(rungs(List.of(1, 4), 4, 4), 1, ListOptions.DEFAULT), 1))
        .isCloseTo(115 + 10 + 3 * 30, within(1e-6));
  }

  /**
   * After its first unit, at 115 s, a trial has no time to be compared: 4 · 30 s. So the best one
   * is promoted, and has all GPUs until the search ends.
   */
  @Test
  void endsAtItsTime() {
    Problem problem = endingAt(200);
    Estimate estimate =
        new Simulator(problem, 1, 1, RankModel.FIRST_BEST).simulate(plan(problem, 1));

    assertThat(estimate.completionS().mean()).isEqualTo(200);
    assertThat(estimate.groups().get(0).endS().mean()).isCloseTo(115, within(1e-6));
  }

  /** Trials that would start at the end, which is not a whole number of nanoseconds, do not. */
  @Test
  void startsNoTrialAtItsEnd() {
    Problem problem = endingAt(100 + 1e-10);
    Simulator simulator = new Simulator(problem, 1, 1, RankModel.FIRST_BEST);
    IncrementalSampling sampling = simulator.sampling(plan(problem, 1));
    sampling.sampleUpTo(1);

    assertThat(sampling.rungTasks().get(0).mean()).isEqualTo(4);
    assertThat(simulator.trace(plan(problem, 1)))
        .filteredOn(event -> event.kind() == TraceEvent.Kind.START)
        .hasSize(4);
  }

  private static Problem endingAt(double seconds) {
    RungRule.TimeLimit time = new RungRule.TimeLimit(OptionalDouble.of(seconds));
    RungRule rule = rungs(List.of(1, 16), 100, 4, OptionalInt.empty()).withTime(Optional.of(time));
    return problem(Workload.of(rule), 1, FluidOptions.DEFAULT);
  }

  /** The last of two trials that run is at the end of a unit when the other one ends. */
  @Test
  void widensARunningTrial() {
    Problem problem = problem(rungs(List.of(1, 2, 16), 4, 2), 1, FluidOptions.DEFAULT);
    List<TraceEvent> events =
        new Simulator(problem, 1, 1, RankModel.FIRST_BEST).trace(plan(problem, 1));

    assertThat(events)
        .filteredOn(event -> event.kind() == TraceEvent.Kind.START)
        .anyMatch(event -> event.task().orElseThrow().gpus() == 4);
    assertThat(events.get(events.size() - 1).kind()).isEqualTo(TraceEvent.Kind.FINISHED);
  }

  /** Rungs keep eight tasks busy, but the last groups of successive halving leave GPUs idle. */
  @Test
  void gainsLessThanSuccessiveHalving() {
    Workload sha =
        new Workload(
            List.of(
                new Chain(
                    "",
                    List.of(
                        new TrialGroup("1", 16, 0, 1),
                        new TrialGroup("2", 8, 1, 2),
                        new TrialGroup("3", 4, 2, 4),
                        new TrialGroup("4", 2, 4, 8)))));
    RungRule asha = rungs(List.of(1, 2, 4, 8), 64, 2, OptionalInt.of(8));

    double shaGain = gain(sha);
    double ashaGain = gain(Workload.of(asha));

    assertThat(ashaGain).isGreaterThan(1);
    assertThat(shaGain).isGreaterThan(ashaGain);
  }

  private static double gain(Workload workload) {
    double listS = completionS(problem(workload, 2, ListOptions.DEFAULT), 2);
    return listS / completionS(problem(workload, 2, FluidOptions.DEFAULT), 2);
  }

  private static Workload rungs(List<Integer> targets, int trials, int eta) {
    return Workload.of(rungs(targets, trials, eta, OptionalInt.empty()));
  }

  private static RungRule rungs(
      List<Integer> targets, int trials, int eta, OptionalInt concurrency) {
    return new RungRule(
        targets,
        trials,
        eta,
        RungRule.Variant.PROMOTION,
        true,
        concurrency,
        OptionalInt.empty(),
        false);
  }

  private static Problem problem(Workload workload, int instances, PolicyOptions policy) {
    return WorkedExample.problem(
            List.of(WorkedExample.chain()), List.of(WorkedExample.offer(0)), PROFILE)
        .withWorkload(workload)
        .withCluster(new FixedCluster(instances, policy));
  }

  private static Plan plan(Problem problem, int instances) {
    Allocation all = new Allocation(problem.offers().get(0).name(), instances, 1, 1);
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    problem.workload().groups().forEach(group -> allocations.put(group.name(), all));
    return new Plan(true, allocations);
  }

  private static double completionS(Problem problem, int instances) {
    return new Simulator(problem, 1, 1, RankModel.FIRST_BEST)
        .simulate(plan(problem, instances))
        .completionS()
        .mean();
  }
}
