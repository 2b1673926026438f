package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.Spread;
import io.elastune.core.allocation.PlanRules;
import io.elastune.core.estimate.Distribution;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.estimate.GroupEstimate;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.profile.Profile;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** What must hold for every job and plan. */
class PropertiesTest {
  private static final int JOBS = 300;
  private static final int SAMPLES = 40;

  private interface Property {
    void check(String name, Problem problem, Plan plan, Estimate estimate);
  }

  private static void forAll(Property property) {
    for (long seed = 0; seed < JOBS; seed++) {
      RandomJobs jobs = new RandomJobs(seed, seed % 4 > 0);
      Problem problem = jobs.problem();
      Plan plan = jobs.plan(problem);
      property.check("seed " + seed + ", plan " + plan, problem, plan, simulate(problem, plan));
    }
  }

  private static Estimate simulate(Problem problem, Plan plan) {
    return new Simulator(problem, SAMPLES).simulate(plan);
  }

  @Test
  void costsAddUpByCauseAndByGroup() {
    forAll(
        (name, problem, plan, estimate) -> {
          double total = estimate.costUsd().mean();
          double running = problem.running().usd(estimate.completionS().mean());
          assertThat(estimate.costBy().total()).as(name).isCloseTo(total, within(1e-9));
          assertThat(estimate.groups().stream().mapToDouble(group -> group.costUsd().mean()).sum())
              .as(name)
              .isCloseTo(total - running, within(1e-9));
          assertThat(
                  List.of(
                      estimate.costBy().compute(),
                      estimate.costBy().idle(),
                      estimate.costBy().provisioning(),
                      estimate.costBy().data(),
                      estimate.costBy().other()))
              .as(name)
              .allMatch(usd -> usd >= 0);
        });
  }

  @Test
  void onlyLegalSizesAreSimulated() {
    for (long seed = 0; seed < 2000; seed++) {
      RandomJobs jobs = new RandomJobs(seed, false);
      Problem problem = jobs.problem();
      Plan plan = jobs.anyPlan(problem);
      boolean legal =
          plan.allocations().values().stream().allMatch(each -> RandomJobs.legal(problem, each));
      assertThat(PlanRules.faults(problem, plan).isEmpty())
          .as("seed " + seed + ", plan " + plan)
          .isEqualTo(legal);
    }
  }

  @Test
  void percentilesAreInOrder() {
    forAll(
        (name, problem, plan, estimate) -> {
          assertOrdered(name, estimate.completionS());
          assertOrdered(name, estimate.costUsd());
          for (GroupEstimate group : estimate.groups()) {
            assertOrdered(name, group.startS());
            assertOrdered(name, group.endS());
            assertOrdered(name, group.costUsd());
          }
        });
  }

  private static void assertOrdered(String name, Distribution distribution) {
    assertThat(distribution.p5()).as(name).isLessThanOrEqualTo(distribution.p50());
    assertThat(distribution.p50()).as(name).isLessThanOrEqualTo(distribution.p95());
  }

  @Test
  void theSameSeedGivesTheSameBits() {
    forAll(
        (name, problem, plan, estimate) ->
            assertThat(simulate(problem, plan)).as(name).isEqualTo(estimate));
  }

  @Test
  void fractionsCountTheLimitsAsKept() {
    forAll(
        (name, problem, plan, estimate) -> {
          Samples samples = new Simulator(problem, SAMPLES).sample(plan);
          double deadline = problem.limits().deadlineS().orElseThrow();
          double budget = problem.limits().budgetUsd().orElseThrow();
          assertThat(estimate.onTime()).as(name).isEqualTo(part(samples.completionS(), deadline));
          assertThat(estimate.inBudget()).as(name).hasValue(part(samples.costUsd(), budget));
        });
  }

  private static double part(double[] values, double most) {
    return Arrays.stream(values).filter(value -> value <= most).count() / (double) values.length;
  }

  @Test
  void aHigherPriceChangesNoTime() {
    forAll(
        (name, problem, plan, estimate) -> {
          Estimate dearer =
              simulate(
                  changed(problem, o -> o.withUsdPerHour(o.usdPerHour() * 3 + 1), p -> p), plan);
          assertThat(dearer.completionS()).as(name).isEqualTo(estimate.completionS());
          assertThat(dearer.costUsd().mean())
              .as(name)
              .isGreaterThanOrEqualTo(estimate.costUsd().mean() * (1 - 1e-12));
        });
  }

  @Test
  void scalingAllTimesScalesTheCompletion() {
    double k = 4;
    forAll(
        (name, problem, plan, estimate) -> {
          Estimate scaled =
              simulate(
                  changed(
                      problem,
                      o -> o.withProvisioning(times(o.queueS(), k), times(o.bootS(), k)),
                      p -> times(p, k)),
                  plan);
          assertThat(scaled.completionS().mean())
              .as(name)
              .isCloseTo(k * estimate.completionS().mean(), Percentage.withPercentage(1e-6));
        });
  }

  @Test
  void neverCheaperThanTheGpuTimeUsed() {
    forAll(
        (name, problem, plan, estimate) ->
            assertThat(estimate.costUsd().mean())
                .as(name)
                .isGreaterThanOrEqualTo(
                    (estimate.costBy().compute() + estimate.costBy().provisioning())
                        * (1 - 1e-12)));
  }

  private static Problem changed(
      Problem problem, UnaryOperator<Offer> offer, UnaryOperator<Profile> profile) {
    Map<String, Profile> profiles = new TreeMap<>();
    problem.profiles().forEach((gpu, known) -> profiles.put(gpu, profile.apply(known)));
    return new Problem(
        problem.workload(),
        problem.offers().stream().map(offer).toList(),
        profiles,
        problem.gpusPerTrial(),
        problem.limits(),
        problem.running(),
        problem.seed());
  }

  private static Spread times(Spread spread, double k) {
    return new Spread(spread.mean() * k, spread.cv());
  }

  private static Profile times(Profile p, double k) {
    Map<Integer, Double> seconds = new TreeMap<>();
    p.secondsByGpus().forEach((gpus, s) -> seconds.put(gpus, s * k));
    Map<Integer, Double> sharing = new TreeMap<>();
    p.secondsBySharing().forEach((trials, s) -> sharing.put(trials, s * k));
    return new Profile(
        p.program(),
        p.gpu(),
        p.unit(),
        p.measured(),
        new TreeMap<>(seconds),
        new TreeMap<>(sharing),
        times(p.startupS(), k),
        p.checkpointS(),
        p.trialCv(),
        p.unitCv(),
        p.straggler(),
        p.samples(),
        p.instanceCv(),
        p.instanceStraggler(),
        p.provisioning());
  }
}
