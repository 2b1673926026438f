package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.allocation.PlanRules;
import io.elastune.core.job.Preference;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.Quota;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RentedInstance;
import io.elastune.core.plan.Workload;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions.Kind;
import io.elastune.planner.api.ReplanResult;
import io.elastune.planner.api.RunSnapshot;
import io.elastune.simulator.Simulator;
import io.elastune.simulator.sample.JointSamples;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests re-planning of a run from its current state. */
class ReplannerTest {
  private static final int JOBS = 40;
  private static final long EFFORT = 1_000_000;
  private static final double ROUNDING = 1e-7;

  @Test
  void replanIsAtLeastAsGoodAsThePlan() {
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = due(seed, 1.5);
      PlanResult.Found found = TestJobs.found(problem, Kind.BEST);
      for (int group = 0; group < chain(problem).groups().size(); group++) {
        ReplanResult rest = replanned(problem, found.plan(), group, 0);
        assertThat(rest.onTime()).as("seed %d, group %d", seed, group).isTrue();
        assertThat(rest.costUsd())
            .as("seed %d, group %d", seed, group)
            .isLessThanOrEqualTo(found.estimate().costUsd().mean() + ROUNDING);
        RunSnapshot runSnapshot =
            BarrierSnapshots.before(problem, found.plan(), chain(problem), group);
        ReplanResult quick =
            new Replanner(problem, 0).replan(runSnapshot, found.plan()).orElseThrow();
        assertThat(quick.onTime()).as("quick, seed %d, group %d", seed, group).isTrue();
        assertThat(quick.costUsd())
            .as("quick, seed %d, group %d", seed, group)
            .isLessThanOrEqualTo(found.estimate().costUsd().mean() + ROUNDING);
      }
    }
  }

  /** Of the plans that meet the limits, a re-plan takes the one that the job prefers. */
  @Test
  void replanFollowsThePreference() {
    int faster = 0;
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = due(seed, 3);
      Plan plan = TestJobs.found(problem, Kind.GREEDY).plan();
      RunSnapshot start = BarrierSnapshots.before(problem, plan, chain(problem), 0);
      ReplanResult cheapest = preferred(problem, start, plan, Preference.CHEAPEST);
      ReplanResult fastest = preferred(problem, start, plan, Preference.FASTEST);

      assertThat(fastest.onTime()).isTrue();
      assertThat(fastest.completionS()).isLessThanOrEqualTo(cheapest.completionS());
      assertThat(cheapest).isEqualTo(new Replanner(problem, 0).replan(start, plan).orElseThrow());
      faster += fastest.completionS() < cheapest.completionS() ? 1 : 0;
    }
    assertThat(faster).isGreaterThan(JOBS / 4);
  }

  private static ReplanResult preferred(
      Problem problem, RunSnapshot start, Plan plan, Preference preference) {
    return new Replanner(problem, 0, Optional.of(preference)).replan(start, plan).orElseThrow();
  }

  @Test
  void planInUseHasAForecastAlthoughTheSameOfferIsCheaperElsewhere() {
    Problem problem = due(1, 1.5);
    Plan plan = TestJobs.found(problem, Kind.GREEDY).plan();
    RunSnapshot runSnapshot = BarrierSnapshots.before(problem, plan, chain(problem), 0);
    List<Offer> offers =
        problem.offers().stream()
            .flatMap(offer -> Stream.of(offer, cheaperElsewhere(offer)))
            .toList();
    Replanner replanner = new Replanner(problem.with(offers, problem.profiles()), 0);

    assertThat(replanner.outlook(runSnapshot, plan))
        .isEqualTo(new Replanner(problem, 0).outlook(runSnapshot, plan))
        .isPresent();
  }

  private static Offer cheaperElsewhere(Offer offer) {
    return new Offer(
        "aws/eu-west-1",
        offer.instanceType(),
        offer.gpu(),
        offer.gpus(),
        offer.market(),
        offer.usdPerHour() / 2,
        offer.price(),
        offer.billing(),
        offer.queueS(),
        offer.bootS(),
        offer.dataInUsd(),
        offer.diskUsdPerHour(),
        1);
  }

  /** The simulator is an independent check of the prediction of the re-planner. */
  @Test
  void simulatorConfirmsTimeAndCostOfTheReplan() {
    int exactly = 0;
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = due(seed, 1.5);
      Plan plan = TestJobs.found(problem, Kind.GREEDY).plan();
      Problem later = due(seed, 4);
      for (int group = 0; group < chain(problem).groups().size(); group++) {
        ReplanResult rest = replanned(later, plan, group, 0);
        JointSamples jointSamples =
            new Simulator(later, 1).sample(joined(problem, plan, rest.plan(), group));
        String of = "seed " + seed + ", group " + group;
        if (keepsAll(problem, plan, rest.plan(), group)) {
          exactly++;
          assertThat(rest.completionS())
              .as(of)
              .isCloseTo(jointSamples.completionS()[0], within(ROUNDING));
          assertThat(rest.costUsd()).as(of).isCloseTo(jointSamples.costUsd()[0], within(ROUNDING));
        } else {
          // In one plan, the group before releases surplus instances as soon as they are idle.
          assertThat(rest.costUsd())
              .as(of)
              .isGreaterThanOrEqualTo(jointSamples.costUsd()[0] - ROUNDING);
        }
      }
    }
    assertThat(exactly).isGreaterThan(JOBS);
  }

  @Test
  void delayIsRecoveredIfPossible() {
    Problem problem = TestJobs.workedExample(TestJobs.deadline(257.9, 8));
    Plan plan = TestJobs.found(problem, Kind.BEST).plan();

    ReplanResult early = replanned(problem, plan, 1, 20);
    assertThat(early.onTime()).isTrue();
    assertThat(early.plan().allocations().get("2").instances()).isGreaterThan(2);

    ReplanResult late = replanned(problem, plan, 1, 100);
    assertThat(late.onTime()).isFalse();
    assertThat(late.completionS()).as("as fast as possible").isLessThan(345);
  }

  @Test
  void nearlySpentBudgetIsMet() {
    Problem problem =
        TestJobs.workedExample(
            TestJobs.limits(OptionalDouble.of(257.9), OptionalDouble.of(2.24), 8));
    Plan plan = TestJobs.found(problem, Kind.BEST).plan();
    RunSnapshot runSnapshot = BarrierSnapshots.before(problem, plan, chain(problem), 1);
    RunSnapshot costlier =
        new RunSnapshot(runSnapshot.atS(), runSnapshot.settledUsd() + 0.05, runSnapshot.chains());

    ReplanResult rest = new Replanner(problem, EFFORT).replan(costlier, plan).orElseThrow();
    assertThat(rest.inBudget()).isTrue();
    assertThat(rest.onTime()).isFalse();
  }

  @Test
  void lostInstancesAreReplaced() {
    Problem problem = TestJobs.workedExample(TestJobs.deadline(257.9, 8));
    Plan plan = TestJobs.found(problem, Kind.BEST).plan();
    RunSnapshot runSnapshot = BarrierSnapshots.before(problem, plan, chain(problem), 1);
    RunSnapshot.ChainSnapshot only = runSnapshot.chains().get(0);
    assertThat(only.held()).hasSize(2);
    RunSnapshot.ChainSnapshot lost =
        new RunSnapshot.ChainSnapshot(only.name(), only.left(), List.of());
    ReplanResult rest =
        new Replanner(problem, EFFORT)
            .replan(
                new RunSnapshot(runSnapshot.atS(), runSnapshot.settledUsd(), List.of(lost)), plan)
            .orElseThrow();
    assertThat(rest.plan().allocations().keySet()).containsExactly("2", "3", "4");
    assertThat(rest.completionS()).as("new ones must boot").isGreaterThan(runSnapshot.atS() + 75);
  }

  /** Eight batches make nine parts if the last one is filled in part. */
  @Test
  void instancesMayBecomeReadyOneByOne() {
    Problem problem = TestJobs.workedExample(TestJobs.deadline(600, 16));
    Plan plan = TestJobs.found(problem, Kind.BEST).plan();
    List<RentedInstance> held =
        IntStream.rangeClosed(1, 9)
            .mapToObj(i -> new RentedInstance(TestJobs.p3(0).name(), 0, 1.0 + Math.min(8, i), 0))
            .toList();
    Chain only = chain(problem);
    RunSnapshot.ChainSnapshot standing =
        new RunSnapshot.ChainSnapshot(only.name(), only.groups().subList(1, 4), held);

    assertThat(new Replanner(problem, 0).replan(new RunSnapshot(1, 0, List.of(standing)), plan))
        .isPresent();
  }

  @Test
  void replanCostsNoMoreThanContinuing() {
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = due(seed, 1.5);
      Plan plan = TestJobs.found(problem, Kind.GREEDY).plan();
      RunSnapshot runSnapshot = BarrierSnapshots.before(problem, plan, chain(problem), 0);
      Replanner replanner = new Replanner(problem, 0);
      ReplanResult asPlanned = replanner.outlook(runSnapshot, plan).orElseThrow();
      ReplanResult best = replanner.replan(runSnapshot, plan).orElseThrow();

      assertThat(best.costUsd())
          .as("seed %d", seed)
          .isLessThanOrEqualTo(asPlanned.costUsd() + ROUNDING);
      assertThat(asPlanned.plan()).isEqualTo(plan);
    }
  }

  @Test
  void unavailableOffersAreReleasedAndPaid() {
    Problem problem = TestJobs.workedExample(TestJobs.deadline(400, 8));
    Plan plan = TestJobs.found(problem, Kind.BEST).plan();
    RunSnapshot runSnapshot = BarrierSnapshots.before(problem, plan, chain(problem), 1);
    Offer other =
        TestJobs.offer(
            "p3.8xlarge-b",
            "V100",
            4,
            12.24,
            TestJobs.EC2,
            TestJobs.p3(0).queueS(),
            TestJobs.p3(0).bootS());
    Quota none = new Quota("P instances", "vCPU", 0, Map.of(TestJobs.p3(0).name(), 32));
    Limits limits = problem.limits();
    Problem without =
        problem
            .with(List.of(problem.offers().get(0), other), problem.profiles())
            .withLimits(
                new Limits(
                    OptionalDouble.of(1_000),
                    limits.budgetUsd(),
                    limits.confidence(),
                    limits.maxInstances(),
                    limits.maxUsdPerHour(),
                    List.of(none)));
    ReplanResult rest = new Replanner(without, EFFORT).replan(runSnapshot, plan).orElseThrow();
    assertThat(rest.plan().allocations().values())
        .extracting(Allocation::offer)
        .containsOnly(other.name());
    assertThat(rest.costUsd()).isGreaterThan(runSnapshot.settledUsd() + 0.2);
  }

  @Test
  void chainsAreReplannedTogether() {
    Workload two =
        new Workload(
            List.of(TestJobs.chain("a", 9, 1, 3, 2, 1, 6), TestJobs.chain("b", 5, 3, 1, 6)));
    Problem problem =
        TestJobs.problem(
            two,
            TestJobs.p3(0),
            TestJobs.profile("V100", TestJobs.RESNET50, 0, 0),
            TestJobs.deadline(800, 4));
    PlanResult.Found found = TestJobs.found(problem, Kind.BEST);
    RunSnapshot a = BarrierSnapshots.before(problem, found.plan(), two.chains().get(0), 1);
    RunSnapshot b = BarrierSnapshots.before(problem, found.plan(), two.chains().get(1), 1);
    RunSnapshot both =
        new RunSnapshot(
            Math.max(a.atS(), b.atS()),
            a.settledUsd() + b.settledUsd(),
            List.of(a.chains().get(0), b.chains().get(0)));
    ReplanResult rest = new Replanner(problem, EFFORT).replan(both, found.plan()).orElseThrow();
    Map<String, Allocation> all = new LinkedHashMap<>(found.plan().allocations());
    all.putAll(rest.plan().allocations());
    assertThat(PlanRules.faults(problem, new Plan(false, all))).isEmpty();
    assertThat(rest.onTime()).isTrue();
  }

  /** Re-plans just before a group starts, {@code delayS} seconds later than planned. */
  private static ReplanResult replanned(Problem problem, Plan plan, int group, double delayS) {
    RunSnapshot runSnapshot = BarrierSnapshots.before(problem, plan, chain(problem), group);
    RunSnapshot late =
        new RunSnapshot(runSnapshot.atS() + delayS, runSnapshot.settledUsd(), runSnapshot.chains());
    return new Replanner(problem, EFFORT).replan(late, plan).orElseThrow();
  }

  private static boolean keepsAll(Problem problem, Plan plan, Plan rest, int group) {
    if (group == 0) {
      return true;
    }
    Allocation before = plan.of(chain(problem).groups().get(group - 1));
    Allocation planned = plan.of(chain(problem).groups().get(group));
    Allocation now = rest.of(chain(problem).groups().get(group));
    int held =
        before.offer().equals(planned.offer())
            ? Math.min(before.instances(), planned.instances())
            : 0;
    boolean same = before.offer().equals(now.offer());
    return held == 0
        ? !same
        : same && now.instances() >= held && now.instances() <= planned.instances();
  }

  private static Plan joined(Problem problem, Plan plan, Plan rest, int group) {
    Map<String, Allocation> all = new LinkedHashMap<>();
    for (int i = 0; i < chain(problem).groups().size(); i++) {
      all.put(
          chain(problem).groups().get(i).name(),
          (i < group ? plan : rest).of(chain(problem).groups().get(i)));
    }
    return new Plan(false, all);
  }

  private static Chain chain(Problem problem) {
    return problem.workload().chains().get(0);
  }

  private static Problem due(long seed, double slack) {
    Problem problem = RandomJobs.small(seed);
    double fastestS = BruteForce.front(problem).fastest().orElseThrow().completionS();
    return problem.withLimits(
        problem.limits().within(OptionalDouble.of(fastestS * slack), OptionalDouble.empty()));
  }
}
