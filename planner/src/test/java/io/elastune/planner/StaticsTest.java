package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.simulator.Samples;
import io.elastune.simulator.Simulator;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Compares the static plans of small jobs with the simulator and with all static clusters. */
class StaticsTest {
  private static final int JOBS = 40;
  private static final double EQUAL = 1e-7;

  @Test
  void timeAndCostAreThoseOfTheSimulator() {
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = RandomJobs.small(seed);
      ChainModel model = ScoredPlans.model(problem);
      Simulator simulator = new Simulator(problem, 1);
      for (Statics.Pair pair : pairs(model)) {
        assertScored(seed, simulator, plan(model, pair.held(), true), pair.held());
        assertScored(seed, simulator, plan(model, pair.elastic(), false), pair.elastic());
        assertThat(pair.elastic().instances()).containsOnly(pair.instances());
      }
    }
  }

  @Test
  void theFrontierIsThatOfAllStaticClusters() {
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = RandomJobs.small(seed);
      ChainModel model = ScoredPlans.model(problem);
      Simulator simulator = new Simulator(problem, 1);
      Front<BruteForce.Tried> all =
          new Front<>(Comparator.comparingDouble(BruteForce.Tried::costUsd));
      for (Plan plan : BruteForce.plans(problem)) {
        if (isOneCluster(plan)) {
          Samples samples = simulator.sample(new Plan(true, plan.allocations()));
          all.add(new BruteForce.Tried(plan, samples.completionS()[0], samples.costUsd()[0]));
        }
      }
      Front<Draft> found =
          ScoredPlans.front(pairs(model).stream().map(Statics.Pair::held).toList());
      for (BruteForce.Tried optimum : all.items()) {
        assertThat(found.cheapestBy(optimum.completionS() + EQUAL))
            .as("seed %d: %s", seed, Jobs.text(optimum.plan()))
            .hasValueSatisfying(
                draft -> assertThat(draft.costUsd()).isCloseTo(optimum.costUsd(), within(EQUAL)));
      }
    }
  }

  private static List<Statics.Pair> pairs(ChainModel model) {
    return new Statics(model, new Scorer(model), new Neighbours(model)).pairs();
  }

  private static Plan plan(ChainModel model, Draft draft, boolean hold) {
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    model.putInto(allocations, draft);
    return new Plan(hold, allocations);
  }

  private static void assertScored(long seed, Simulator simulator, Plan plan, Draft draft) {
    Samples samples = simulator.sample(plan);
    String name = "seed " + seed + ": " + Jobs.text(plan);
    assertThat(draft.completionS()).as(name).isCloseTo(samples.completionS()[0], within(EQUAL));
    assertThat(draft.costUsd()).as(name).isCloseTo(samples.costUsd()[0], within(EQUAL));
  }

  private static boolean isOneCluster(Plan plan) {
    return plan.allocations().values().stream()
            .map(allocation -> allocation.instances() + allocation.offer())
            .distinct()
            .count()
        == 1;
  }
}
