package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.simulator.draw.FastSimulatorDraws;
import io.elastune.simulator.instance.Draws;
import io.elastune.simulator.rank.RankModel;
import io.elastune.simulator.sample.JointSamples;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Compares samples of chains that share instances with those of a slow simulator. */
class ReferencePoolFaultsTest {
  private static final int JOBS = RandomProblems.some(200);
  private static final int FEW = 3;
  private static final int SAMPLES = RandomProblems.samples(FEW);
  private static final Offset<Double> ROUNDING = within(1e-6);

  @Test
  void agreesWithoutFaults() {
    for (long seed = 0; seed < JOBS; seed++) {
      compare(seed, new RandomProblems(seed, seed % 2 == 0).problem());
    }
  }

  @Test
  void agreesWithFaults() {
    int different = 0;
    for (long seed = 0; seed < JOBS; seed++) {
      RandomProblems jobs = new RandomProblems(seed, seed % 2 == 0);
      Problem problem = jobs.withFaults(jobs.problem());
      different += compare(seed, problem) ? 1 : 0;
    }
    assertThat(different).isGreaterThan(JOBS / 2);
  }

  @Test
  void agreesOnSearchesThatEndAtATarget() {
    int different = 0;
    for (long seed = 0; seed < JOBS / 2; seed++) {
      RandomProblems jobs = new RandomProblems(seed, seed % 2 == 0);
      Problem problem = jobs.withFaults(jobs.problem());
      Problem ending = problem.withWorkload(KnownTargets.of(problem.workload(), seed));
      different += compare(seed, ending, KnownTargets.ranks(ending), FEW) ? 1 : 0;
    }
    assertThat(different).isGreaterThan(JOBS / 4);
  }

  private static boolean compare(long seed, Problem random) {
    return compare(seed, random, RankModel.of(random), SAMPLES);
  }

  /** Compares all samples; returns whether faults change the first one. */
  private static boolean compare(long seed, Problem random, RankModel ranks, int most) {
    Problem problem = random.with(List.of(random.offers().get(0)), random.profiles());
    if (problem.workload().chains().size() == 1) {
      return false;
    }
    Plan plan = plan(problem, new Random(seed));
    Simulator simulator = new Simulator(problem, most, 1, ranks);
    Draws draws = new Draws(problem, most, ranks, Draws.MAX_CACHE_BYTES);
    JointSamples fast = simulator.sample(plan);
    for (int sample = 0; sample < draws.samples(); sample++) {
      ReferencePoolFaults slow =
          new ReferencePoolFaults(problem, plan, FastSimulatorDraws.of(draws, sample));
      String name = "seed " + seed + ", sample " + sample + ", plan " + plan;
      assertThat(fast.completionS()[sample]).as(name).isCloseTo(slow.run(), ROUNDING);
      assertThat(fast.costUsd()[sample]).as(name).isCloseTo(slow.costUsd(), ROUNDING);
    }
    JointSamples without = new Simulator(problem.withoutFaults(), most).sample(plan);
    return without.completionS()[0] != fast.completionS()[0];
  }

  static Plan plan(Problem problem, Random random) {
    Offer offer = problem.offers().get(0);
    int instances = 1 + random.nextInt(6);
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    for (TrialGroup group : problem.workload().groups()) {
      Allocation allocation;
      do {
        int gpus = 1 + random.nextInt(offer.gpus());
        allocation = new Allocation(offer.name(), instances, gpus, 1);
      } while (!RandomProblems.legal(problem, allocation));
      allocations.put(group.name(), allocation);
    }
    return new Plan(random.nextInt(4) == 0, true, allocations);
  }
}
