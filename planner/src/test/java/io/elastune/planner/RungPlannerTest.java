package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.IntRange;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferBuilder;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.FixedCluster;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.ProblemBuilder;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.RungRule.Variant;
import io.elastune.core.plan.RungRuleBuilder;
import io.elastune.core.plan.Workload;
import io.elastune.core.policy.ListOptions;
import io.elastune.planner.api.Baseline;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.api.PlannerOptions.Kind;
import io.elastune.planner.evaluate.PlanEvaluator;
import io.elastune.planner.model.SearchParameters;
import io.elastune.simulator.IncrementalSampling;
import io.elastune.simulator.Simulator;
import io.elastune.simulator.draw.SampleBlocks;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RungPlannerTest {
  private static final PlannerOptions OPTIONS = new PlannerOptions(Kind.BEST, 1_000, 100_000);

  @Test
  void costsLessThanTheBestStaticClusterAndMoreThanTheBound() {
    PlanResult.Found found = found(problem(Variant.PROMOTION, 500), OPTIONS);

    double usd = found.estimate().costUsd().mean();
    assertThat(usd).isLessThan(0.95 * baseline(found, "static").costUsd());
    assertThat(usd).isGreaterThanOrEqualTo(found.optimum().boundUsd());
    assertThat(found.optimum().proven()).isFalse();
    assertThat(found.estimate().completionS().p95()).isLessThanOrEqualTo(500);
    assertThat(found.remarks()).anyMatch(text -> text.contains("promoted is random"));
  }

  @ParameterizedTest
  @EnumSource(Variant.class)
  void isCheaperWithMoreTime(Variant variant) {
    double tight = found(problem(variant, 420), OPTIONS).estimate().costUsd().mean();
    double loose = found(problem(variant, 1_500), OPTIONS).estimate().costUsd().mean();

    assertThat(loose).isLessThan(tight * 1.001);
  }

  /** Step by step, the planner finds a plan that is nearly as good as the best of all. */
  @Test
  void greedyIsNearTheBestOfAllPlans() {
    Problem problem = problem(Variant.PROMOTION, 500);
    double best = found(problem, OPTIONS).estimate().costUsd().mean();
    double greedy = found(problem, OPTIONS.withKind(Kind.GREEDY)).estimate().costUsd().mean();

    assertThat(greedy).isLessThan(best * 1.05);
  }

  @Test
  void releasesNothingInAStaticPlan() {
    PlanResult.Found found = found(problem(Variant.PROMOTION, 500), OPTIONS.withKind(Kind.STATIC));
    Plan plan = found.plan();

    assertThat(plan.hold()).isTrue();
    assertThat(plan.allocations().values().stream().map(Allocation::instances).distinct())
        .hasSize(1);
  }

  @Test
  void showsTheNearestLimitsIfNoPlanMeetsThem() {
    PlanResult result = new Planner(problem(Variant.PROMOTION, 100), OPTIONS).plan();

    assertThat(result).isInstanceOf(PlanResult.Infeasible.class);
    PlanResult.Infeasible infeasible = (PlanResult.Infeasible) result;
    assertThat(infeasible.nearest().deadlineS().orElseThrow()).isBetween(200.0, 500.0);
  }

  /** The budget limits the instances, and more money starts more trials. */
  @Test
  void startsTheMostTrialsBeforeATime() {
    PlanResult.Found poor = found(timed(3, Optional.empty()), OPTIONS);
    PlanResult.Found rich = found(timed(5, Optional.empty()), OPTIONS);

    assertThat(poor.estimate().completionS().p95()).isLessThanOrEqualTo(600);
    assertThat(poor.estimate().costUsd().p95()).isBetween(1.5, 3.0);
    assertThat(rich.estimate().costUsd().p95()).isBetween(3.0, 5.0);
    assertThat(started(rich)).isGreaterThan(1.3 * started(poor));
    assertThat(poor.optimum().proven()).isFalse();
    assertThat(new Planner(timed(0.1, Optional.empty()), OPTIONS).plan())
        .isInstanceOf(PlanResult.Infeasible.class);
  }

  /** Fewer instances do not help, so that none are tried. */
  @Test
  void noPlanMeetsADeadlineBeforeTheTime() {
    Problem late =
        limited(OptionalDouble.of(300), OptionalDouble.of(50))
            .withWorkload(timed(50, Optional.empty()).workload());

    assertThat(new Planner(late, OPTIONS).plan()).isInstanceOf(PlanResult.Infeasible.class);
  }

  /** Also without a deadline; instances need longer than the search has. */
  @Test
  void noPlanHasAResultBeforeTheTime() {
    PlanResult result = new Planner(timed(50, 20, Optional.empty()), OPTIONS).plan();

    assertThat(result).isInstanceOf(PlanResult.Impossible.class);
    assertThat(((PlanResult.Impossible) result).reason())
        .isEqualTo(
            "the search ends after 20s, and the probability that a trial has a result by then is"
                + " 0%; choose a later search.stop.time");
  }

  @Test
  void choosesOnlySizesOnAFixedCluster() {
    FixedCluster cluster = new FixedCluster(2, ListOptions.DEFAULT);
    Plan plan = found(timed(50, Optional.of(cluster)), OPTIONS).plan();

    assertThat(plan.hold()).isTrue();
    assertThat(plan.allocations().values()).allMatch(each -> each.instances() == 2);
    assertThat(plan.allocations().get(Workload.OPEN).gpusPerTrial()).isEqualTo(1);
  }

  /** Without a number of trials, the search ends when enough are fully trained. */
  @Test
  void plansUntilTrialsAreTrained() {
    Problem problem =
        limited(OptionalDouble.of(3_000), OptionalDouble.empty())
            .withWorkload(Workload.of(unlimited(OptionalInt.of(2))));
    PlanResult.Found found = found(problem, OPTIONS);

    assertThat(found.estimate().completionS().p95()).isLessThanOrEqualTo(3_000);
    assertThat(found.estimate().costUsd().mean()).isGreaterThan(found.optimum().boundUsd());
  }

  /** No trial reaches the later rungs in any case, and none fits on one instance of an offer. */
  @Test
  void boundsOffersWithoutASizeByNothing() {
    Problem problem = problem(Variant.PROMOTION, 3_000);
    RungRule two =
        RungRuleBuilder.builder(problem.workload().rungs().orElseThrow()).trials(2).build();
    Offer large = problem.offers().get(0);
    Offer small = OfferBuilder.builder(large).instanceType("p3.2xlarge").gpus(1).build();
    PlanResult.Found found =
        found(
            ProblemBuilder.builder(problem)
                .workload(Workload.of(two))
                .offers(List.of(small, large))
                .gpusPerTrial(new IntRange(2, 4))
                .build(),
            OPTIONS);

    assertThat(found.optimum().boundUsd())
        .isPositive()
        .isLessThanOrEqualTo(found.estimate().costUsd().mean());
    assertThat(baseline(found, "lower-bound").costUsd()).isPositive();
  }

  /** How many trials start in a sample is known only once some are played. */
  @Test
  void searchesWithManyTrialsGetFewSamples() {
    Problem problem = timed(1_000, 40_000, Optional.empty());
    Allocation allocation = new Allocation(problem.offers().get(0).name(), 6, 1, 1);
    Plan plan = new Plan(true, Map.of(Workload.OPEN, allocation, Workload.CLOSING, allocation));
    PlanEvaluator evaluator = new PlanEvaluator(TestJobs.inputs(problem, OPTIONS, false));

    int samples = evaluator.evaluateFinally(plan).samples();

    double trials = evaluator.meanTrials(plan);
    assertThat(trials).isGreaterThan(5_000);
    int most = (int) (SearchParameters.DEFAULT.sampleCounts().finalTrials() / trials);
    assertThat(samples).isLessThan(most + SampleBlocks.SIZE);
  }

  private static double started(PlanResult.Found found) {
    IncrementalSampling sampling =
        new Simulator(timed(50, Optional.empty()), 500).sampling(found.plan());
    sampling.sampleUpTo(500);
    return sampling.startedTrials().mean();
  }

  private static Problem timed(double budgetUsd, Optional<FixedCluster> cluster) {
    return timed(budgetUsd, 600, cluster);
  }

  private static Problem timed(double budgetUsd, double endS, Optional<FixedCluster> cluster) {
    RungRule rule =
        unlimited(OptionalInt.empty())
            .withTime(Optional.of(new RungRule.TimeLimit(OptionalDouble.of(endS))));
    Problem problem =
        limited(OptionalDouble.empty(), OptionalDouble.of(budgetUsd))
            .withWorkload(Workload.of(rule));
    return cluster.map(problem::withCluster).orElse(problem);
  }

  private static RungRule unlimited(OptionalInt trained) {
    return new RungRule(
        List.of(1, 2, 4, 8),
        RungRule.UNLIMITED,
        2,
        Variant.PROMOTION,
        true,
        OptionalInt.empty(),
        trained,
        false);
  }

  private static Problem limited(OptionalDouble deadlineS, OptionalDouble budgetUsd) {
    return TestJobs.workedExampleWithSpread(new Limits(deadlineS, budgetUsd, 0.95, 6, 1e9));
  }

  private static Baseline baseline(PlanResult.Found found, String name) {
    return found.baselines().stream()
        .filter(baseline -> baseline.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static PlanResult.Found found(Problem problem, PlannerOptions options) {
    return (PlanResult.Found) new Planner(problem, options).plan();
  }

  private static Problem problem(Variant variant, double deadlineS) {
    RungRule rule =
        new RungRule(
            List.of(1, 2, 4, 8),
            16,
            2,
            variant,
            true,
            OptionalInt.empty(),
            OptionalInt.empty(),
            false);
    return limited(OptionalDouble.of(deadlineS), OptionalDouble.empty())
        .withWorkload(Workload.of(rule));
  }
}
