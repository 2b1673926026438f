package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.allocation.PlanRules;
import io.elastune.core.estimate.CostBreakdown;
import io.elastune.core.estimate.Distribution;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.estimate.GroupEstimate;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.properties.ForAll;
import io.elastune.core.properties.PlannedJob;
import io.elastune.simulator.draw.FastSimulatorDraws;
import io.elastune.simulator.instance.Draws;
import io.elastune.simulator.sample.JointSamples;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** Tests properties of the estimates of random jobs and plans. */
class PropertiesTest {
  private static final int JOBS = RandomProblems.some(2000);
  private static final int SAMPLES = 15;
  private static final double ROUNDING = 1e-12;

  private static void forAll(ForAll.Property property) {
    ForAll.seeds(JOBS, RandomProblems::planned).hold(property);
  }

  static Estimate estimate(PlannedJob job) {
    return new Simulator(job.problem(), SAMPLES).simulate(job.plan());
  }

  static JointSamples samples(PlannedJob job) {
    return new Simulator(job.problem(), SAMPLES).sample(job.plan());
  }

  @Test
  void costsAddUpByCategoryAndByGroup() {
    forAll(
        job -> {
          Estimate estimate = estimate(job);
          CostBreakdown by = estimate.costBy();
          double total = estimate.costUsd().mean();
          double running = job.problem().running().usd(estimate.completionS().mean());
          assertThat(by.total()).isCloseTo(total, within(1e-9));
          assertThat(estimate.groups().stream().mapToDouble(group -> group.costUsd().mean()).sum())
              .isCloseTo(total - running, within(1e-9));
          assertThat(List.of(by.compute(), by.idle(), by.provisioning(), by.data(), by.other()))
              .allMatch(usd -> usd >= 0);
        });
  }

  @Test
  void simulatesOnlyLegalSizes() {
    for (long seed = 0; seed < JOBS; seed++) {
      RandomProblems jobs = new RandomProblems(seed, false);
      Problem problem = jobs.problem();
      Plan plan = jobs.anyPlan(problem);
      boolean legal =
          plan.allocations().values().stream()
              .allMatch(each -> RandomProblems.legal(problem, each));
      assertThat(PlanRules.faults(problem, plan).isEmpty())
          .as("seed " + seed + ", plan " + plan)
          .isEqualTo(legal);
    }
  }

  @Test
  void percentilesAreOrdered() {
    forAll(
        job -> {
          Estimate estimate = estimate(job);
          assertOrdered(estimate.completionS());
          assertOrdered(estimate.costUsd());
          for (GroupEstimate group : estimate.groups()) {
            assertOrdered(group.startS());
            assertOrdered(group.endS());
            assertOrdered(group.timeS());
            assertOrdered(group.costUsd());
          }
        });
  }

  private static void assertOrdered(Distribution distribution) {
    assertThat(distribution.p5()).isLessThanOrEqualTo(distribution.p50());
    assertThat(distribution.p50()).isLessThanOrEqualTo(distribution.p95());
  }

  @Test
  void groupsRunInSequence() {
    forAll(
        job -> {
          Estimate estimate = estimate(job);
          double last = 0;
          for (GroupEstimate group : estimate.groups()) {
            assertThat(group.timeS().mean())
                .isCloseTo(group.endS().mean() - group.startS().mean(), within(1e-6));
            assertThat(group.timeS().p5()).isPositive();
            last = Math.max(last, group.endS().mean());
          }
          assertThat(estimate.completionS().mean()).isGreaterThanOrEqualTo(last * (1 - ROUNDING));
        });
  }

  @Test
  void sameSeedGivesSameBytes() {
    forAll(job -> assertThat(estimate(job).toString()).isEqualTo(estimate(job).toString()));
  }

  @Test
  void fractionsTreatLimitsAsInclusive() {
    forAll(
        job -> {
          Estimate estimate = estimate(job);
          JointSamples jointSamples = samples(job);
          double deadline = job.problem().limits().deadlineS().orElseThrow();
          double budget = job.problem().limits().budgetUsd().orElseThrow();
          assertThat(estimate.onTime()).isEqualTo(part(jointSamples.completionS(), deadline));
          assertThat(estimate.inBudget()).hasValue(part(jointSamples.costUsd(), budget));
        });
  }

  private static double part(double[] values, double most) {
    return Arrays.stream(values).filter(value -> value <= most).count() / (double) values.length;
  }

  @Test
  void higherPricesChangeNoTimeAndLowerNoCost() {
    forAll(
        job -> {
          Problem problem = job.problem();
          PlannedJob dearer =
              job.with(
                  ProblemVariants.offers(
                      problem, offer -> offer.withUsdPerHour(offer.usdPerHour() * 3 + 1)));
          JointSamples before = samples(job);
          JointSamples after = samples(dearer);
          assertThat(after.completionS()).isEqualTo(before.completionS());
          for (int i = 0; i < before.costUsd().length; i++) {
            assertThat(after.costUsd()[i])
                .isGreaterThanOrEqualTo(before.costUsd()[i] * (1 - ROUNDING));
          }
        });
  }

  @Test
  void scalingTimesScalesCompletion() {
    for (double k : new double[] {0.3, 7}) {
      forAll(
          job -> {
            PlannedJob free = job.with(ProblemVariants.tieFree(job.problem()));
            double[] once = samples(free).completionS();
            double[] scaled =
                samples(free.with(ProblemVariants.times(free.problem(), k))).completionS();
            for (int i = 0; i < once.length; i++) {
              assertThat(scaled[i]).isCloseTo(k * once[i], Percentage.withPercentage(1e-6));
            }
          });
    }
  }

  @Test
  void costsAtLeastTheUsedGpuTime() {
    ForAll.seeds(JOBS, RandomProblems::planned)
        .hold(
            job -> {
              // The used seconds come from the independent slow simulator.
              ReferenceSimulator slow =
                  new ReferenceSimulator(
                      job.problem(),
                      job.plan(),
                      FastSimulatorDraws.of(new Draws(job.problem(), 1), 0));
              double used = slow.leases.stream().mapToDouble(ReferenceLease::gpuTimeUsd).sum();
              double letOff = slow.leases.stream().mapToDouble(ReferenceLease::letOffUsd).sum();
              JointSamples fast = new Simulator(job.problem(), 1).sample(job.plan());
              assertThat(fast.costUsd()[0]).isGreaterThanOrEqualTo(used * (1 - ROUNDING) - letOff);
            });
  }
}
