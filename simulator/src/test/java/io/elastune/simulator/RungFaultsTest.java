package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.faults.FaultRate;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.faults.TrialFaultRates;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.RungRule.Variant;
import io.elastune.core.plan.Workload;
import io.elastune.simulator.instance.Draws;
import io.elastune.simulator.rank.RankModel;
import io.elastune.simulator.sample.JointSamples;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Compares samples of asynchronous searches with those of a slow implementation. */
class RungFaultsTest {
  private static final int JOBS = RandomProblems.some(200);
  private static final int SAMPLES = RandomProblems.samples(10);
  private static final Offset<Double> ROUNDING = within(1e-6);

  @Test
  void agreesWithAnImplementationThatScansEverything() {
    int struck = 0;
    for (int seed = 0; seed < JOBS; seed++) {
      RandomProblems jobs = new RandomProblems(seed, true);
      Problem without = problem(jobs.problem(), seed);
      Plan plan = plan(without, seed);
      double[] plain = compare("without faults, seed " + seed, without, plan);
      double[] faulty = compare("with faults, seed " + seed, jobs.withFaults(without), plan);
      struck += mean(plain) != mean(faulty) ? 1 : 0;
    }
    assertThat(struck).isGreaterThan(JOBS / 2);
  }

  /** Returns the completion times of the samples, which equal those of the reference. */
  private static double[] compare(String name, Problem problem, Plan plan) {
    RankModel ranks = RankModel.of(problem);
    JointSamples samples = new Simulator(problem, SAMPLES).sample(plan);
    Draws draws = new Draws(problem, SAMPLES);
    for (int sample = 0; sample < draws.samples(); sample++) {
      ReferenceRungFaults slow = new ReferenceRungFaults(problem, plan, draws, ranks, sample);
      String where = name + ", sample " + sample + ", plan " + plan;
      assertThat(samples.completionS()[sample]).as(where).isCloseTo(slow.run(), ROUNDING);
      assertThat(samples.costUsd()[sample]).as(where).isCloseTo(slow.costUsd(), ROUNDING);
    }
    return samples.completionS();
  }

  /** Also the first sample of a block has a fault only when its own draw says so. */
  @Test
  void rareFaultsChangeNoSample() {
    Problem without = problem(new RandomProblems(3, true).problem(), 3).withoutFaults();
    FaultRate rare = FaultRate.assumed(1e-12);
    Problem problem =
        without.withFaults(
            offer -> new InstanceFaultRates(none(), 0, none(), none(), 2, rare, none(), 0, 0),
            profile -> new TrialFaultRates(rare, none(), none()));
    Plan plan = plan(problem, 3);

    assertThat(new Simulator(problem, 200).sample(plan).completionS())
        .containsExactly(new Simulator(without, 200).sample(plan).completionS(), within(1e-6));
  }

  private static FaultRate none() {
    return FaultRate.assumed(0);
  }

  private static double mean(double[] values) {
    return DoubleStream.of(values).average().orElseThrow();
  }

  /** Searches of all forms: variants, brackets, ends at a time, trials that cannot resume. */
  static Problem problem(Problem random, long seed) {
    Random draw = new Random(seed);
    int eta = 2 + draw.nextInt(3);
    List<Integer> targets = new ArrayList<>(List.of(1 + draw.nextInt(3)));
    int rungs = 2 + draw.nextInt(3);
    while (targets.size() < rungs) {
      targets.add(targets.get(targets.size() - 1) * eta);
    }
    boolean stops = draw.nextInt(3) == 0;
    RungRule rule =
        new RungRule(
                targets,
                1 + draw.nextInt(40),
                eta,
                stops ? Variant.STOPPING : Variant.PROMOTION,
                draw.nextBoolean(),
                draw.nextInt(3) == 0 ? OptionalInt.of(1 + draw.nextInt(6)) : OptionalInt.empty(),
                draw.nextInt(4) == 0 ? OptionalInt.of(1 + draw.nextInt(3)) : OptionalInt.empty(),
                !stops && draw.nextInt(4) == 0)
            .withBrackets(1 + draw.nextInt(rungs));
    if (draw.nextInt(4) == 0) {
      double endS = 400 + draw.nextInt(2_000);
      rule = rule.withTime(Optional.of(new RungRule.TimeLimit(OptionalDouble.of(endS))));
    }
    return random
        .with(List.of(random.offers().get(0)), random.profiles())
        .withWorkload(Workload.of(rule));
  }

  static Plan plan(Problem problem, long seed) {
    Random draw = new Random(seed + 1_000);
    int open = 1 + draw.nextInt(6);
    Allocation first = allocation(problem, draw, open);
    boolean stops = problem.workload().rungs().orElseThrow().isStopping();
    Allocation last = stops ? first : allocation(problem, draw, 1 + draw.nextInt(open));
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    allocations.put(Workload.OPEN, first);
    allocations.put(Workload.CLOSING, last);
    return new Plan(draw.nextInt(4) == 0, allocations);
  }

  private static Allocation allocation(Problem problem, Random draw, int instances) {
    Allocation allocation;
    do {
      int gpus = 1 + draw.nextInt(problem.offers().get(0).gpus());
      allocation = new Allocation(problem.offers().get(0).name(), instances, gpus, 1);
    } while (!RandomProblems.legal(problem, allocation));
    return allocation;
  }
}
