package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.Spread;
import io.elastune.core.allocation.PlanRules;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.Quota;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.Profile;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.api.PlannerOptions.Kind;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tests that plans stay within the quotas of the account. */
class QuotasTest {
  private static final Profile V100 = TestJobs.profile("V100", TestJobs.RESNET50, 0, 0);
  private static final Offer P3 = TestJobs.p3(0);
  private static final Offer SMALL =
      TestJobs.offer(
          "p3.2xlarge", "V100", 1, 3.2, TestJobs.EC2, Spread.exactly(15), Spread.exactly(60));
  private static final Workload HALVING = TestJobs.chain(16, 1, 8, 1, 4, 2, 2, 4);

  @Test
  void planStaysWithinTheQuota() {
    Problem free = problem(HALVING, List.of(P3), 257.9, List.of());
    assertThat(most(TestJobs.found(free, Kind.BEST))).isEqualTo(4);

    Problem tight = problem(HALVING, List.of(P3), 400, List.of(quota(95, Map.of(P3, 32))));
    PlanResult.Found found = TestJobs.found(tight, Kind.BEST);
    assertThat(most(found)).isEqualTo(2);
    assertThat(found.optimum().proven()).isTrue();
    assertThat(PlanRules.faults(tight, found.plan())).isEmpty();
    assertThat(
            new Planner(
                    problem(HALVING, List.of(P3), 257.9, tight.limits().quotas()),
                    PlannerOptions.DEFAULT)
                .plan())
        .isInstanceOf(PlanResult.Infeasible.class);
  }

  /** Two trials on each GPU are much cheaper, but need twice the memory. */
  @Test
  void trialsShareGpusOnlyIfTheirMemoryFits() {
    assertThat(sharing(256_000)).isEqualTo(2);
    assertThat(sharing(255_999)).isEqualTo(1);
  }

  private static int sharing(int limitMb) {
    Profile profile = V100.withSharing(new TreeMap<>(Map.of(2, 1.1 * V100.secondsByGpus().get(1))));
    Quota memory = new Quota("memory of this machine", "MB", limitMb, Map.of(P3.name(), 32_000));
    Problem problem =
        problem(HALVING, List.of(P3), 400, List.of(memory))
            .with(List.of(P3), Map.of("V100", profile));
    Limits limits = problem.limits();
    Problem four =
        problem.withLimits(
            new Limits(
                limits.deadlineS(),
                limits.budgetUsd(),
                limits.confidence(),
                4,
                limits.maxUsdPerHour(),
                limits.quotas()));
    return TestJobs.found(four, Kind.BEST).plan().allocations().values().stream()
        .mapToInt(Allocation::trialsPerGpu)
        .max()
        .orElseThrow();
  }

  @Test
  void optimumUnderAQuotaIsThatOfEnumeration() {
    Quota quota = quota(40, Map.of(P3, 32, SMALL, 8));
    Problem problem = problem(TestJobs.chain(8, 1, 2, 4), List.of(P3, SMALL), 400, List.of(quota));
    double best =
        BruteForce.front(problem(TestJobs.chain(8, 1, 2, 4), List.of(P3, SMALL), 400, List.of()))
            .items()
            .stream()
            .filter(simulatedPlan -> PlanRules.faults(problem, simulatedPlan.plan()).isEmpty())
            .filter(simulatedPlan -> simulatedPlan.completionS() <= 400)
            .mapToDouble(BruteForce.SimulatedPlan::costUsd)
            .min()
            .orElse(Double.POSITIVE_INFINITY);
    double usd = TestJobs.found(problem, Kind.EXACT).estimate().costUsd().mean();
    assertThat(usd).isLessThanOrEqualTo(best + 1e-9);
  }

  @Test
  void fullQuotaOfTheCheaperZoneSelectsTheOther() {
    Offer expensive =
        TestJobs.offer("p3.8xlarge-b", "V100", 4, 12.5, TestJobs.EC2, P3.queueS(), P3.bootS());
    List<Quota> none = List.of(quota(31, Map.of(P3, 32)));
    PlanResult.Found found =
        TestJobs.found(problem(HALVING, List.of(P3, expensive), 257.9, none), Kind.BEST);
    assertThat(found.plan().allocations().values())
        .extracting(Allocation::offer)
        .containsOnly(expensive.name());
    assertThat(found.remarks()).anyMatch(remark -> remark.contains("one instance uses 32 vCPU"));
  }

  @Test
  void chainsShareAQuota() {
    Workload two =
        new Workload(
            List.of(TestJobs.chain("a", 9, 1, 3, 2, 1, 6), TestJobs.chain("b", 5, 3, 1, 6)));
    for (int instances = 2; instances <= 5; instances++) {
      List<Quota> quotas = List.of(quota(32 * instances, Map.of(P3, 32)));
      Problem problem = problem(two, List.of(P3), 2_000, quotas);
      PlanResult.Found found = TestJobs.found(problem, Kind.BEST);
      assertThat(PlanRules.faults(problem, found.plan())).as("%s", quotas).isEmpty();
    }
  }

  private static int most(PlanResult.Found found) {
    return found.plan().allocations().values().stream()
        .mapToInt(Allocation::instances)
        .max()
        .orElseThrow();
  }

  private static Quota quota(int limit, Map<Offer, Integer> uses) {
    Map<String, Integer> byName = new TreeMap<>();
    uses.forEach((offer, use) -> byName.put(offer.name(), use));
    return new Quota("P instances", "vCPU", limit, byName);
  }

  private static Problem problem(
      Workload workload, List<Offer> offers, double deadlineS, List<Quota> quotas) {
    Limits limits =
        new Limits(
            OptionalDouble.of(deadlineS),
            OptionalDouble.empty(),
            0.95,
            4,
            Double.POSITIVE_INFINITY,
            quotas);
    return TestJobs.problem(workload, offers, List.of(V100), limits);
  }
}
