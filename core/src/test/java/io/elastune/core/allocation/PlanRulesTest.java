package io.elastune.core.allocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.elastune.core.offer.Quota;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.ProfileBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanRulesTest {
  private static final String V100 = "simulated/v4/on-demand";
  private static final String T4 = "simulated/t8/on-demand";
  private static final Allocation GOOD = new Allocation(V100, 2, 1, 1);

  @Test
  void acceptsALegalPlan() {
    assertThat(faults(GOOD)).isEmpty();
    assertThat(faults(new Allocation(V100, 2, 8, 1))).isEmpty();
    assertThat(faults(new Allocation(V100, 4, 3, 1))).isEmpty();
    assertThat(faults(new Allocation(V100, 1, 1, 2))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 | 6  | 1 | gpus_per_trial | must be at most the 4 GPUs of one"
            + " simulated/v4/on-demand, or a multiple of 4, not 6; choose 4 or 8",
        "1 | 8  | 1 | instances      | 4 GPUs in 1 × simulated/v4/on-demand are too few for"
            + " a trial with 8; use at least 2 instances, or fewer GPUs per trial",
        "4 | 12 | 1 | gpus_per_trial | 12 GPUs per trial are outside the measured range 1..8 of"
            + " V100; choose a size within it, or measure this one",
        "4 | 16 | 1 | gpus_per_trial | 16 GPUs per trial are outside the job's range 1..12; choose"
            + " a size within it, or widen trial.gpus",
        "1 | 1  | 3 | trials_per_gpu | 3 trials per GPU were not measured on V100, only 2; choose"
            + " a measured count, or measure this one",
        "5 | 1  | 1 | instances      | 5 instances exceed max_instances 4; use fewer, or"
            + " raise max_instances",
      })
  void reportsFaultsOfAGroup(int instances, int gpus, int sharing, String field, String message) {
    assertThat(faults(new Allocation(V100, instances, gpus, sharing)))
        .contains(new PlanFault("2", field, message));
  }

  @Test
  void reportsUnknownOffersAndMissingProfiles() {
    assertThat(faults(new Allocation("aws/x/y", 1, 1, 1)))
        .containsExactly(
            new PlanFault("2", "offer", "unknown offer aws/x/y; use one of " + V100 + ", " + T4));
    assertThat(faults(new Allocation(T4, 1, 1, 1)))
        .containsExactly(
            new PlanFault(
                "2",
                "offer",
                "no profile was measured on T4, the GPU of "
                    + T4
                    + "; profiles exist for V100; add one with --profile, or use another"
                    + " offer"));
  }

  @Test
  void spareInstancesNeedARestForATrialAndReleases() {
    assertThat(faults(new Allocation(V100, 3, 8, 1, 2)))
        .containsExactly(
            new PlanFault(
                "2",
                "spare",
                "leaves 1 of 3 instances for a trial that needs 2; use fewer spare instances, or"
                    + " more instances"));
    assertThat(faults(new Allocation(V100, 3, 8, 1, 1))).isEmpty();

    Map<String, Allocation> spared = Map.of("1", GOOD, "2", new Allocation(V100, 3, 1, 1, 1));
    assertThat(PlanRules.faults(TestProblems.problem(), new Plan(true, spared)))
        .extracting(PlanFault::group, PlanFault::field)
        .contains(tuple("2", "spare"));
  }

  @Test
  void reportsAllFaultsAtOnce() {
    Plan plan = plan(Map.of("1", new Allocation(V100, 1, 6, 1), "9", GOOD));

    assertThatThrownBy(() -> PlanRules.check(TestProblems.problem(), plan))
        .isInstanceOfSatisfying(
            IllegalPlanException.class,
            refused ->
                assertThat(refused.faults())
                    .extracting(PlanFault::group, PlanFault::field)
                    .containsExactly(
                        tuple("1", "gpus_per_trial"), tuple("2", "group"), tuple("9", "group")))
        .hasMessageContaining("group 9: group: the job has no such group; its groups are 1, 2");
  }

  @Test
  void addsUpConcurrentChains() {
    Problem problem =
        TestProblems.problem(
            List.of(TestProblems.chain("a", "a.1", "a.2"), TestProblems.chain("b", "b.1")));
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    allocations.put("a.1", new Allocation(V100, 1, 1, 1));
    allocations.put("a.2", new Allocation(V100, 3, 1, 1));
    allocations.put("b.1", new Allocation(V100, 2, 1, 1));

    assertThat(PlanRules.faults(problem, plan(allocations)))
        .extracting(PlanFault::toString)
        .containsExactly(
            "max_instances: the plan holds up to 5 instances at once (chains a and b together),"
                + " more than the 4 allowed; use fewer, or raise max_instances",
            "max_hourly_usd: the plan holds instances for up to 50.0000 USD/h at once (chains a"
                + " and b together), more than the 45.0000 allowed; use fewer or cheaper ones,"
                + " or raise max_hourly_usd");
  }

  @Test
  void addsUpChainsWhenOneReachesTheLimit() {
    Problem problem =
        TestProblems.problem(
            List.of(TestProblems.chain("a", "a.1"), TestProblems.chain("b", "b.1")));
    Map<String, Allocation> allocations =
        Map.of("a.1", new Allocation(V100, 4, 1, 1), "b.1", new Allocation(V100, 1, 1, 1));

    assertThat(PlanRules.faults(problem, plan(allocations)))
        .extracting(PlanFault::field)
        .containsExactly("max_instances", "max_hourly_usd");
  }

  @Test
  void limitsAreInclusiveAndTolerateRounding() {
    Plan all = plan(Map.of("1", new Allocation(V100, 4, 1, 1), "2", GOOD));

    assertThat(PlanRules.faults(withHourlyLimit(40, 10), all)).isEmpty();
    assertThat(PlanRules.faults(withHourlyLimit(39.999, 10), all))
        .extracting(PlanFault::field)
        .containsExactly("max_hourly_usd");
    // In floating-point arithmetic, 3 × 0.1 is more than 0.3.
    Plan three = plan(Map.of("1", new Allocation(V100, 3, 1, 1), "2", GOOD));
    assertThat(PlanRules.faults(withHourlyLimit(0.3, 0.1), three)).isEmpty();
  }

  private static Problem withHourlyLimit(double usd, double price) {
    Problem problem = TestProblems.problem();
    return problem
        .with(
            problem.offers().stream().map(offer -> offer.withUsdPerHour(price)).toList(),
            problem.profiles())
        .withLimits(new Limits(OptionalDouble.empty(), OptionalDouble.empty(), 0.95, 4, usd));
  }

  @Test
  void interpolatesWithoutMeasurementAtOneGpu() {
    Profile all = TestProblems.problem().profiles().get("V100");
    Profile fromTwo =
        ProfileBuilder.builder(all)
            .secondsByGpus(new TreeMap<>(Map.of(2, 16.0, 4, 9.0)))
            .secondsBySharing(new TreeMap<>())
            .trialCv(0)
            .unitCv(0)
            .samples(List.of())
            .instanceCv(0)
            .provisioning(List.of())
            .build();
    Problem problem =
        TestProblems.problem().with(TestProblems.problem().offers(), Map.of("V100", fromTwo));
    Allocation two = new Allocation(V100, 1, 2, 1);

    assertThat(PlanRules.faults(problem, plan(Map.of("1", two, "2", two)))).isEmpty();
    assertThat(PlanRules.faults(problem, plan(Map.of("1", two, "2", GOOD))))
        .extracting(PlanFault::field)
        .containsExactly("gpus_per_trial");
  }

  @Test
  void addsUpQuotasOverChainsAndOffers() {
    Problem problem =
        TestProblems.problem(
            List.of(TestProblems.chain("a", "a.1", "a.2"), TestProblems.chain("b", "b.1")));
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    allocations.put("a.1", new Allocation(V100, 1, 1, 1));
    allocations.put("a.2", new Allocation(V100, 2, 1, 1));
    allocations.put("b.1", new Allocation(V100, 2, 1, 1));
    Plan plan = plan(allocations);
    Quota enough = new Quota("P instances", "vCPU", 4 * 32, Map.of(V100, 32));
    Quota little = new Quota("P instances", "vCPU", 4 * 32 - 1, Map.of(V100, 32));

    assertThat(PlanRules.faults(with(problem, enough), plan)).isEmpty();
    assertThat(PlanRules.faults(with(problem, little), plan))
        .extracting(PlanFault::toString)
        .containsExactly(
            "quotas: the plan holds up to 128 vCPU at once (chains a and b together), more than the"
                + " quota \"P instances\" of 127 vCPU; use fewer or other instances, or request a"
                + " higher quota from the provider");
  }

  /** Two instances with two trials on each GPU need twice the memory of one trial on each. */
  @Test
  void trialsThatShareGpusNeedTheirMemoryEach() {
    Problem problem = TestProblems.problem();
    Plan plan =
        plan(
            new TreeMap<>(
                Map.of("1", new Allocation(V100, 2, 1, 2), "2", new Allocation(V100, 2, 1, 1))));
    Quota enough = new Quota("memory of this machine", "MB", 49_600, Map.of(V100, 12_400));
    Quota little = new Quota("memory of this machine", "MB", 49_599, Map.of(V100, 12_400));

    assertThat(PlanRules.faults(with(problem, enough), plan))
        .noneMatch(fault -> fault.field().equals("quotas"));
    assertThat(PlanRules.faults(with(problem, little), plan))
        .extracting(PlanFault::toString)
        .contains(
            "quotas: the plan needs up to 49.6 GB at once, more than the limit \"memory of this"
                + " machine\" of 49.6 GB; use fewer or other instances, or add --infra"
                + " simulated, which has no such limit");
  }

  @Test
  void listsTheSizesOfAnOffer() {
    Problem problem = TestProblems.problem();

    assertThat(TrialSizes.of(problem, problem.offers().get(0))).containsExactly(1, 2, 3, 4, 8);
    assertThat(TrialSizes.of(problem, problem.offers().get(1))).isEmpty();
  }

  private static Problem with(Problem problem, Quota quota) {
    Limits limits = problem.limits();
    return problem.withLimits(
        new Limits(
            limits.deadlineS(),
            limits.budgetUsd(),
            limits.confidence(),
            limits.maxInstances(),
            limits.maxUsdPerHour(),
            List.of(quota)));
  }

  private static List<PlanFault> faults(Allocation second) {
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    allocations.put("1", GOOD);
    allocations.put("2", second);
    return PlanRules.faults(TestProblems.problem(), plan(allocations));
  }

  private static Plan plan(Map<String, Allocation> allocations) {
    return new Plan(false, new TreeMap<>(allocations));
  }
}
