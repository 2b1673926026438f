package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.IntRange;
import io.elastune.core.billing.HourlyCosts;
import io.elastune.core.config.OffersFile;
import io.elastune.core.config.ProfileFile;
import io.elastune.core.job.Algorithm;
import io.elastune.core.job.Metric;
import io.elastune.core.job.Search;
import io.elastune.core.job.TrainingResource;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.search.TrialGroups;
import io.elastune.planner.api.Baseline;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.api.PlannerOptions.Kind;
import io.elastune.planner.model.ParetoFront;
import io.elastune.simulator.Simulator;
import io.elastune.simulator.sample.JointSamples;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compares plans with the best static cluster, and that cluster with the enumeration of all. */
class StaticClusterTest {
  private static final String OFFERS =
      """
      source: test
      date: 2026-11-21
      offers:
        - {infra: local, instance_type: twin, gpu: cpu, gpus: 2, market: on-demand,
           usd_per_hour: 2.0, price: notional, queue_s: {mean: 0.636, cv: 0},
           boot_s: {mean: 0.508, cv: 0}}
      """;
  private static final String PROFILE =
      """
      program: own
      gpu: cpu
      unit: epoch
      measured: {at: 2026-11-21T07:23:57Z, source: test, samples: 9}
      training: [{gpus: 1, seconds: 0.3128}, {gpus: 2, seconds: 0.3243}]
      startup_s: {mean: 0.5037, cv: 0.4441}
      unit_cv: 0.0855
      """;

  /** Chains with spread that share limits: the combination may miss the best plan. */
  @ParameterizedTest
  @EnumSource(Kind.class)
  void noPlanCostsMoreThanTheStaticCluster(Kind kind) {
    PlanResult result = new Planner(problem(), PlannerOptions.DEFAULT.withKind(kind)).plan();

    assertThat(result).isInstanceOf(PlanResult.Found.class);
    PlanResult.Found found = (PlanResult.Found) result;
    Baseline cluster =
        found.baselines().stream().filter(b -> b.name().equals("static")).findFirst().orElseThrow();
    assertThat(cluster.feasible()).isTrue();
    assertThat(found.estimate().costUsd().mean()).isLessThanOrEqualTo(cluster.costUsd() + 1e-9);
  }

  @Test
  void clusterBilledByUseIsTheBestOfAll() {
    for (long seed = 0; seed < 24; seed++) {
      Problem problem = billedByUse(RandomJobs.small(seed));
      Simulator simulator = new Simulator(problem, 1);
      ParetoFront<BruteForce.SimulatedPlan> all =
          new ParetoFront<>(Comparator.comparingDouble(BruteForce.SimulatedPlan::costUsd));
      for (Plan plan : BruteForce.plans(problem)) {
        if (plan.allocations().values().stream().map(StaticClusterTest::cluster).distinct().count()
            == 1) {
          Plan held = new Plan(true, plan.allocations());
          JointSamples jointSamples = simulator.sample(held);
          all.add(
              new BruteForce.SimulatedPlan(
                  held, jointSamples.completionS()[0], jointSamples.costUsd()[0]));
        }
      }
      for (double slack : new double[] {1, 1.3, 2, 4}) {
        double deadlineS = slack * all.fastest().orElseThrow().completionS() + 1e-7;
        Problem due =
            problem.withLimits(TestJobs.deadline(deadlineS, problem.limits().maxInstances()));
        Baseline cluster = TestJobs.baseline(TestJobs.found(due, Kind.BEST).baselines(), "static");
        assertThat(cluster.costUsd())
            .as("seed %d, slack %s", seed, slack)
            .isCloseTo(all.cheapestWithin(deadlineS).orElseThrow().costUsd(), within(1e-7));
      }
    }
  }

  private static String cluster(Allocation allocation) {
    return allocation.instances() + " × " + allocation.offer();
  }

  private static Problem billedByUse(Problem problem) {
    List<Offer> offers = new ArrayList<>();
    for (Offer offer : problem.offers()) {
      BillingTerms terms = offer.billing();
      offers.add(
          TestJobs.offer(
              offer.instanceType(),
              offer.gpu(),
              offer.gpus(),
              offer.usdPerHour(),
              new BillingTerms(BillingTerms.Per.USE, terms.granularityS(), terms.minimumS(), 0),
              offer.queueS(),
              offer.bootS()));
    }
    return new Problem(
        problem.workload(),
        offers,
        problem.profiles(),
        problem.gpusPerTrial(),
        TestJobs.deadline(1e9, problem.limits().maxInstances()),
        problem.running(),
        problem.seed());
  }

  private static Problem problem() {
    Search search =
        Search.builder()
            .algorithm(Algorithm.HYPERBAND)
            .metric(new Metric("loss", Metric.Goal.MINIMIZE))
            .trials(1)
            .eta(3)
            .resource(new TrainingResource("epoch", 1, 9))
            .space(Map.of())
            .seed(1)
            .build();
    return new Problem(
        TrialGroups.of(search),
        OffersFile.parse("offers.yaml", OFFERS).orThrow().offers(),
        Map.of("cpu", ProfileFile.parse("profile.yaml", PROFILE).orThrow()),
        new IntRange(1, 2),
        new Limits(
            OptionalDouble.of(240), OptionalDouble.of(1), 0.95, 16, Double.POSITIVE_INFINITY),
        HourlyCosts.NONE,
        1);
  }
}
