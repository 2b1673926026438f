package io.elastune.planner.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.planner.BruteForce;
import io.elastune.planner.RandomJobs;
import io.elastune.planner.ScoredPlans;
import io.elastune.planner.TestJobs;
import io.elastune.planner.model.CandidateScorer;
import io.elastune.planner.model.ChainCandidate;
import io.elastune.planner.model.MeanValueModel;
import io.elastune.planner.model.ParetoFront;
import io.elastune.simulator.Simulator;
import io.elastune.simulator.sample.JointSamples;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Compares the static plans of small jobs with the simulator and with all static clusters. */
class StaticPlansTest {
  private static final int JOBS = 40;
  private static final double EQUAL = 1e-7;

  @Test
  void timeAndCostAreThoseOfTheSimulator() {
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = RandomJobs.small(seed);
      MeanValueModel model = ScoredPlans.model(problem);
      Simulator simulator = new Simulator(problem, 1);
      for (StaticPlans.StaticAndElastic staticAndElastic : pairs(model)) {
        assertScored(
            seed, simulator, plan(model, staticAndElastic.held(), true), staticAndElastic.held());
        assertScored(
            seed,
            simulator,
            plan(model, staticAndElastic.elastic(), false),
            staticAndElastic.elastic());
        assertThat(staticAndElastic.elastic().instances())
            .containsOnly(staticAndElastic.instances());
      }
    }
  }

  @Test
  void theFrontierIsThatOfAllStaticClusters() {
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = RandomJobs.small(seed);
      MeanValueModel model = ScoredPlans.model(problem);
      Simulator simulator = new Simulator(problem, 1);
      ParetoFront<BruteForce.SimulatedPlan> all =
          new ParetoFront<>(Comparator.comparingDouble(BruteForce.SimulatedPlan::costUsd));
      for (Plan plan : BruteForce.plans(problem)) {
        if (isOneCluster(plan)) {
          JointSamples jointSamples = simulator.sample(new Plan(true, plan.allocations()));
          all.add(
              new BruteForce.SimulatedPlan(
                  plan, jointSamples.completionS()[0], jointSamples.costUsd()[0]));
        }
      }
      ParetoFront<ChainCandidate> found =
          ScoredPlans.front(pairs(model).stream().map(StaticPlans.StaticAndElastic::held).toList());
      for (BruteForce.SimulatedPlan optimum : all.items()) {
        assertThat(found.cheapestWithin(optimum.completionS() + EQUAL))
            .as("seed %d: %s", seed, TestJobs.text(optimum.plan()))
            .hasValueSatisfying(
                chainCandidate ->
                    assertThat(chainCandidate.costUsd())
                        .isCloseTo(optimum.costUsd(), within(EQUAL)));
      }
    }
  }

  private static List<StaticPlans.StaticAndElastic> pairs(MeanValueModel model) {
    return new StaticPlans(model, new CandidateScorer(model), new Neighbors(model)).pairs();
  }

  private static Plan plan(MeanValueModel model, ChainCandidate chainCandidate, boolean hold) {
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    model.putInto(allocations, chainCandidate);
    return new Plan(hold, allocations);
  }

  private static void assertScored(
      long seed, Simulator simulator, Plan plan, ChainCandidate chainCandidate) {
    JointSamples jointSamples = simulator.sample(plan);
    String name = "seed " + seed + ": " + TestJobs.text(plan);
    assertThat(chainCandidate.completionS())
        .as(name)
        .isCloseTo(jointSamples.completionS()[0], within(EQUAL));
    assertThat(chainCandidate.costUsd())
        .as(name)
        .isCloseTo(jointSamples.costUsd()[0], within(EQUAL));
  }

  private static boolean isOneCluster(Plan plan) {
    return plan.allocations().values().stream()
            .map(allocation -> allocation.instances() + allocation.offer())
            .distinct()
            .count()
        == 1;
  }
}
