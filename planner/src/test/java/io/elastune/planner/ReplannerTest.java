package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.allocation.PlanRules;
import io.elastune.core.faults.FaultRate;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.faults.TrialFaultRates;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.Quota;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RentedInstance;
import io.elastune.core.plan.Workload;
import io.elastune.planner.api.PlanForecast;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions.Kind;
import io.elastune.planner.api.RunSnapshot;
import io.elastune.simulator.Simulator;
import io.elastune.simulator.sample.JointSamples;
import java.util.Comparator;
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
  private static final double ROUNDING = 1e-7;

  @Test
  void replanIsAtLeastAsGoodAsThePlan() {
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = due(seed, 1.5);
      PlanResult.Found found = TestJobs.found(problem, Kind.BEST);
      for (int group = 0; group < chain(problem).groups().size(); group++) {
        PlanForecast rest = replanned(problem, found.plan(), group, 0);
        assertThat(isOnTime(problem, rest)).as("seed %d, group %d", seed, group).isTrue();
        assertThat(rest.costUsd())
            .as("seed %d, group %d", seed, group)
            .isLessThanOrEqualTo(found.estimate().costUsd().mean() + ROUNDING);
      }
    }
  }

  /** The job may prefer a faster plan than the cheapest one. */
  @Test
  void fasterPlansAreAmongThoseForecast() {
    int faster = 0;
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = due(seed, 3);
      Plan plan = TestJobs.found(problem, Kind.GREEDY).plan();
      RunSnapshot start = BarrierSnapshots.before(problem, plan, chain(problem), 0);
      double cheapestS = best(problem, start, plan).orElseThrow().safeS();
      faster +=
          new Replanner(problem, start)
                  .alternatives(plan).stream().anyMatch(it -> it.safeS() < cheapestS - 1)
              ? 1
              : 0;
    }
    assertThat(faster).isGreaterThan(JOBS / 4);
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
    Replanner replanner = new Replanner(problem.with(offers, problem.profiles()), runSnapshot);

    assertThat(replanner.outlook(plan))
        .isEqualTo(new Replanner(problem, runSnapshot).outlook(plan))
        .isPresent();
    assertThat(replanner.alternatives(plan)).extracting(PlanForecast::plan).contains(plan);
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
        PlanForecast rest = replanned(later, plan, group, 0);
        JointSamples jointSamples =
            new Simulator(later, 1).sample(joined(problem, plan, rest.plan(), group));
        String of = "seed " + seed + ", group " + group;
        if (keepsAll(problem, plan, rest.plan(), group)) {
          exactly++;
          assertThat(rest.safeS())
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

    PlanForecast early = replanned(problem, plan, 1, 20);
    assertThat(isOnTime(problem, early)).isTrue();
    assertThat(early.plan().allocations().get("2").instances()).isGreaterThan(2);

    PlanForecast late = replanned(problem, plan, 1, 100);
    assertThat(isOnTime(problem, late)).isFalse();
    assertThat(late.safeS()).as("as fast as possible").isLessThan(345);
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

    PlanForecast rest = best(problem, costlier, plan).orElseThrow();
    assertThat(rest.costUsd()).isLessThanOrEqualTo(2.24);
    assertThat(isOnTime(problem, rest)).isFalse();
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
    PlanForecast rest =
        best(
                problem,
                new RunSnapshot(runSnapshot.atS(), runSnapshot.settledUsd(), List.of(lost)),
                plan)
            .orElseThrow();
    assertThat(rest.plan().allocations().keySet()).containsExactly("2", "3", "4");
    assertThat(rest.safeS()).as("new ones must boot").isGreaterThan(runSnapshot.atS() + 75);
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

    assertThat(best(problem, new RunSnapshot(1, 0, List.of(standing)), plan)).isPresent();
  }

  /** An instance that is held may be lost, and trials may crash: both take time and money. */
  @Test
  void forecastsHaveTheFaultsOfTheRest() {
    Problem reliable = TestJobs.workedExampleWithSpread(TestJobs.deadline(400, 8));
    FaultRate none = FaultRate.assumed(0);
    FaultRate often = FaultRate.assumed(6);
    Problem faulty =
        reliable.withFaults(
            it -> new InstanceFaultRates(none, 0, none, none, 1, often, none, 0, 0),
            it -> new TrialFaultRates(often, none, none));
    Plan plan = TestJobs.found(reliable, Kind.BEST).plan();
    RunSnapshot runSnapshot = BarrierSnapshots.before(reliable, plan, chain(reliable), 1);
    PlanForecast without = new Replanner(reliable, runSnapshot).outlook(plan).orElseThrow();
    PlanForecast with = new Replanner(faulty, runSnapshot).outlook(plan).orElseThrow();

    assertThat(with.meanS()).isGreaterThan(without.meanS());
    assertThat(with.safeS()).isGreaterThan(without.safeS());
    assertThat(with.costUsd()).isGreaterThan(without.costUsd());
    assertThat(without.safeS()).as("it needs the confidence").isGreaterThan(without.meanS());
  }

  @Test
  void replanCostsNoMoreThanContinuing() {
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = due(seed, 1.5);
      Plan plan = TestJobs.found(problem, Kind.GREEDY).plan();
      RunSnapshot runSnapshot = BarrierSnapshots.before(problem, plan, chain(problem), 0);
      PlanForecast asPlanned = new Replanner(problem, runSnapshot).outlook(plan).orElseThrow();
      PlanForecast best = best(problem, runSnapshot, plan).orElseThrow();

      assertThat(best.costUsd())
          .as("seed %d", seed)
          .isLessThanOrEqualTo(asPlanned.costUsd() + ROUNDING);
      assertThat(asPlanned.plan().allocations()).isEqualTo(plan.allocations());
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
    PlanForecast rest = best(without, runSnapshot, plan).orElseThrow();
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
    PlanForecast rest = best(problem, both, found.plan()).orElseThrow();
    Map<String, Allocation> all = new LinkedHashMap<>(found.plan().allocations());
    all.putAll(rest.plan().allocations());
    assertThat(PlanRules.faults(problem, new Plan(false, all))).isEmpty();
    assertThat(isOnTime(problem, rest)).isTrue();
  }

  /** Re-plans just before a group starts, {@code delayS} seconds later than planned. */
  private static PlanForecast replanned(Problem problem, Plan plan, int group, double delayS) {
    RunSnapshot runSnapshot = BarrierSnapshots.before(problem, plan, chain(problem), group);
    RunSnapshot late =
        new RunSnapshot(runSnapshot.atS() + delayS, runSnapshot.settledUsd(), runSnapshot.chains());
    return best(problem, late, plan).orElseThrow();
  }

  /** Returns the cheapest plan within the limits, or else the fastest within the budget. */
  private static Optional<PlanForecast> best(Problem problem, RunSnapshot snapshot, Plan plan) {
    double budgetUsd = problem.limits().budgetOrInfinityUsd() + ROUNDING;
    List<PlanForecast> covered =
        new Replanner(problem, snapshot)
            .alternatives(plan).stream().filter(it -> it.costUsd() <= budgetUsd).toList();
    return covered.stream()
        .filter(it -> isOnTime(problem, it))
        .min(Comparator.comparingDouble(PlanForecast::costUsd))
        .or(() -> covered.stream().min(Comparator.comparingDouble(PlanForecast::safeS)));
  }

  private static boolean isOnTime(Problem problem, PlanForecast forecast) {
    return forecast.safeS() <= problem.limits().deadlineOrInfinityS() + ROUNDING;
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
