package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.allocation.PlanRules;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.Quota;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.Workload;
import io.elastune.planner.PlannerOptions.Kind;
import io.elastune.simulator.Samples;
import io.elastune.simulator.Simulator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
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
      PlanResult.Found found = Jobs.found(problem, Kind.BEST);
      for (int group = 0; group < chain(problem).groups().size(); group++) {
        Replan rest = replanned(problem, found.plan(), group, 0);
        assertThat(rest.onTime()).as("seed %d, group %d", seed, group).isTrue();
        assertThat(rest.costUsd())
            .as("seed %d, group %d", seed, group)
            .isLessThanOrEqualTo(found.estimate().costUsd().mean() + ROUNDING);
        Standing standing = Barriers.before(problem, found.plan(), chain(problem), group);
        Replan quick = new Replanner(problem, 0).replan(standing, found.plan()).orElseThrow();
        assertThat(quick.onTime()).as("quick, seed %d, group %d", seed, group).isTrue();
        assertThat(quick.costUsd())
            .as("quick, seed %d, group %d", seed, group)
            .isLessThanOrEqualTo(found.estimate().costUsd().mean() + ROUNDING);
      }
    }
  }

  /** The simulator is an independent check of the prediction of the re-planner. */
  @Test
  void simulatorConfirmsTimeAndCostOfTheReplan() {
    int exactly = 0;
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = due(seed, 1.5);
      Plan plan = Jobs.found(problem, Kind.GREEDY).plan();
      Problem later = due(seed, 4);
      for (int group = 0; group < chain(problem).groups().size(); group++) {
        Replan rest = replanned(later, plan, group, 0);
        Samples samples = new Simulator(later, 1).sample(joined(problem, plan, rest.plan(), group));
        String of = "seed " + seed + ", group " + group;
        if (keepsAll(problem, plan, rest.plan(), group)) {
          exactly++;
          assertThat(rest.completionS())
              .as(of)
              .isCloseTo(samples.completionS()[0], within(ROUNDING));
          assertThat(rest.costUsd()).as(of).isCloseTo(samples.costUsd()[0], within(ROUNDING));
        } else {
          // In one plan, the group before releases surplus instances as soon as they are idle.
          assertThat(rest.costUsd()).as(of).isGreaterThanOrEqualTo(samples.costUsd()[0] - ROUNDING);
        }
      }
    }
    assertThat(exactly).isGreaterThan(JOBS);
  }

  @Test
  void delayIsRecoveredIfPossible() {
    Problem problem = Jobs.worked(Jobs.deadline(257.9, 8));
    Plan plan = Jobs.found(problem, Kind.BEST).plan();

    Replan early = replanned(problem, plan, 1, 20);
    assertThat(early.onTime()).isTrue();
    assertThat(early.plan().allocations().get("2").instances()).isGreaterThan(2);

    Replan late = replanned(problem, plan, 1, 100);
    assertThat(late.onTime()).isFalse();
    assertThat(late.completionS()).as("as fast as possible").isLessThan(345);
  }

  @Test
  void nearlySpentBudgetIsMet() {
    Problem problem =
        Jobs.worked(Jobs.limits(OptionalDouble.of(257.9), OptionalDouble.of(2.24), 8));
    Plan plan = Jobs.found(problem, Kind.BEST).plan();
    Standing standing = Barriers.before(problem, plan, chain(problem), 1);
    Standing costlier =
        new Standing(standing.atS(), standing.settledUsd() + 0.05, standing.chains());

    Replan rest = new Replanner(problem, EFFORT).replan(costlier, plan).orElseThrow();
    assertThat(rest.inBudget()).isTrue();
    assertThat(rest.onTime()).isFalse();
  }

  @Test
  void lostInstancesAreReplaced() {
    Problem problem = Jobs.worked(Jobs.deadline(257.9, 8));
    Plan plan = Jobs.found(problem, Kind.BEST).plan();
    Standing standing = Barriers.before(problem, plan, chain(problem), 1);
    Standing.Chain only = standing.chains().get(0);
    assertThat(only.held()).hasSize(2);
    Standing.Chain lost = new Standing.Chain(only.name(), only.left(), List.of());
    Replan rest =
        new Replanner(problem, EFFORT)
            .replan(new Standing(standing.atS(), standing.settledUsd(), List.of(lost)), plan)
            .orElseThrow();
    assertThat(rest.plan().allocations().keySet()).containsExactly("2", "3", "4");
    assertThat(rest.completionS()).as("new ones must boot").isGreaterThan(standing.atS() + 75);
  }

  /** Eight batches make nine parts if the last one is filled in part. */
  @Test
  void instancesMayBecomeReadyOneByOne() {
    Problem problem = Jobs.worked(Jobs.deadline(600, 16));
    Plan plan = Jobs.found(problem, Kind.BEST).plan();
    List<Standing.Instance> held =
        IntStream.rangeClosed(1, 9)
            .mapToObj(i -> new Standing.Instance(Jobs.p3(0).name(), 0, 1.0 + Math.min(8, i), 0))
            .toList();
    Chain only = chain(problem);
    Standing.Chain standing = new Standing.Chain(only.name(), only.groups().subList(1, 4), held);

    assertThat(new Replanner(problem, 0).replan(new Standing(1, 0, List.of(standing)), plan))
        .isPresent();
  }

  @Test
  void replanCostsNoMoreThanContinuing() {
    for (long seed = 0; seed < JOBS; seed++) {
      Problem problem = due(seed, 1.5);
      Plan plan = Jobs.found(problem, Kind.GREEDY).plan();
      Standing standing = Barriers.before(problem, plan, chain(problem), 0);
      Replanner replanner = new Replanner(problem, 0);
      Replan asPlanned = replanner.outlook(standing, plan).orElseThrow();
      Replan best = replanner.replan(standing, plan).orElseThrow();

      assertThat(best.costUsd())
          .as("seed %d", seed)
          .isLessThanOrEqualTo(asPlanned.costUsd() + ROUNDING);
      assertThat(asPlanned.plan()).isEqualTo(plan);
    }
  }

  @Test
  void unavailableOffersAreReleasedAndPaid() {
    Problem problem = Jobs.worked(Jobs.deadline(400, 8));
    Plan plan = Jobs.found(problem, Kind.BEST).plan();
    Standing standing = Barriers.before(problem, plan, chain(problem), 1);
    Offer other =
        Jobs.offer(
            "p3.8xlarge-b", "V100", 4, 12.24, Jobs.EC2, Jobs.p3(0).queueS(), Jobs.p3(0).bootS());
    Quota none = new Quota("P instances", "vCPU", 0, Map.of(Jobs.p3(0).name(), 32));
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
    Replan rest = new Replanner(without, EFFORT).replan(standing, plan).orElseThrow();
    assertThat(rest.plan().allocations().values())
        .extracting(Allocation::offer)
        .containsOnly(other.name());
    assertThat(rest.costUsd()).isGreaterThan(standing.settledUsd() + 0.2);
  }

  @Test
  void chainsAreReplannedTogether() {
    Workload two =
        new Workload(List.of(Jobs.chain("a", 9, 1, 3, 2, 1, 6), Jobs.chain("b", 5, 3, 1, 6)));
    Problem problem =
        Jobs.problem(
            two, Jobs.p3(0), Jobs.profile("V100", Jobs.RESNET50, 0, 0), Jobs.deadline(800, 4));
    PlanResult.Found found = Jobs.found(problem, Kind.BEST);
    Standing a = Barriers.before(problem, found.plan(), two.chains().get(0), 1);
    Standing b = Barriers.before(problem, found.plan(), two.chains().get(1), 1);
    Standing both =
        new Standing(
            Math.max(a.atS(), b.atS()),
            a.settledUsd() + b.settledUsd(),
            List.of(a.chains().get(0), b.chains().get(0)));
    Replan rest = new Replanner(problem, EFFORT).replan(both, found.plan()).orElseThrow();
    Map<String, Allocation> all = new LinkedHashMap<>(found.plan().allocations());
    all.putAll(rest.plan().allocations());
    assertThat(PlanRules.faults(problem, new Plan(false, all))).isEmpty();
    assertThat(rest.onTime()).isTrue();
  }

  /** Re-plans just before a group starts, {@code delayS} seconds later than planned. */
  private static Replan replanned(Problem problem, Plan plan, int group, double delayS) {
    Standing standing = Barriers.before(problem, plan, chain(problem), group);
    Standing late = new Standing(standing.atS() + delayS, standing.settledUsd(), standing.chains());
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
