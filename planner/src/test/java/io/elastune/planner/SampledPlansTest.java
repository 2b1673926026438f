package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.FixedCluster;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.RungRule.Variant;
import io.elastune.core.plan.Workload;
import io.elastune.core.policy.FluidOptions;
import io.elastune.core.policy.HermesOptions;
import io.elastune.planner.api.FrontierPoint;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.api.PlannerOptions.Kind;
import io.elastune.planner.api.SampledPlans;
import io.elastune.simulator.GuardEstimator;
import io.elastune.simulator.IncrementalSampling;
import io.elastune.simulator.Simulator;
import io.elastune.simulator.sample.JointSamples;
import io.elastune.simulator.sample.SamplingProgress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a planner has sampled can be used in place of new samples. */
class SampledPlansTest {
  private static final PlannerOptions OPTIONS = new PlannerOptions(Kind.GREEDY, 400, 20_000);

  private enum Job {
    GROUPS,
    FLUID,
    HERMES,
    RUNGS;

    Problem problem() {
      Problem problem =
          TestJobs.workedExampleWithSpread(TestJobs.deadline(4_000, 6)).withDefaultFaults();
      return switch (this) {
        case GROUPS -> problem;
        case FLUID -> problem.withCluster(new FixedCluster(2, FluidOptions.DEFAULT));
        case HERMES ->
            problem
                .withWorkload(TestJobs.chain(12, 10))
                .withCluster(new FixedCluster(2, HermesOptions.DEFAULT));
        case RUNGS -> problem.withWorkload(Workload.of(rule()));
      };
    }

    private static RungRule rule() {
      return new RungRule(
          List.of(1, 2, 4, 8),
          16,
          2,
          Variant.PROMOTION,
          true,
          OptionalInt.empty(),
          OptionalInt.empty(),
          false);
    }
  }

  @ParameterizedTest
  @EnumSource
  void equalNewSamplesOfAnyNumber(Job job) {
    Problem problem = job.problem();
    PlanResult.Found found = (PlanResult.Found) new Planner(problem, OPTIONS).plan();
    List<FrontierPoint> points = new ArrayList<>(found.frontier());
    assertThat(points).isNotEmpty();

    for (FrontierPoint point : points) {
      IncrementalSampling known = found.samples().sampling(problem, point.plan()).orElseThrow();
      JointSamples samples = known.sampleUpTo(0);
      int count = samples.costUsd().length;
      assertThat(count).isPositive();
      // Another number of samples than that of the planner, and one in the middle of a block.
      JointSamples drawn = new Simulator(problem, count + 7).sample(point.plan());
      assertThat(drawn.costUsd()).startsWith(samples.costUsd());
      assertThat(drawn.completionS()).startsWith(samples.completionS());
      JointSamples fewer = new Simulator(problem, Math.min(count, 77)).sample(point.plan());
      assertThat(samples.costUsd()).startsWith(fewer.costUsd());
    }
    assertThat(found.samples().estimate(problem, found.plan())).contains(found.estimate());
  }

  @Test
  void areThoseOfTheirProblemAlone() {
    Problem problem = Job.GROUPS.problem();
    PlanResult.Found found = (PlanResult.Found) new Planner(problem, OPTIONS).plan();
    Problem later = TestJobs.withDeadline(problem, 5_000);

    assertThat(found.samples().sampling(later, found.plan())).isEmpty();
    assertThat(found.samples().estimate(later, found.plan())).isEmpty();
    assertThat(found.withoutSamples().samples().sampling(problem, found.plan())).isEmpty();
    assertThat(found.withoutSamples()).isEqualTo(found);
    assertThat(SampledPlans.NONE).hasSameHashCodeAs(found.samples()).hasToString("no samples");
  }

  /** A plan is not taken for as cheap as another one by fewer samples than were asked for. */
  @Test
  void costsAreNotComparedWithTooFewSamples() {
    Problem problem = Job.GROUPS.problem();
    PlanResult.Found found = (PlanResult.Found) new Planner(problem, OPTIONS).plan();
    Simulator few = new Simulator(problem, 128);

    assertThat(new PairedCosts(few::sampling, found.plan(), 128).isSame(found.plan())).isTrue();
    assertThat(new PairedCosts(few::sampling, found.plan(), 256).isSame(found.plan())).isFalse();
  }

  /** The samples of the planner are the first ones of the spending guard. */
  @ParameterizedTest
  @EnumSource(names = {"GROUPS", "HERMES"})
  void guardsAreTheSameWithKnownSamples(Job job) {
    Problem problem = job.problem();
    PlanResult.Found found = (PlanResult.Found) new Planner(problem, OPTIONS).plan();
    JointSamples known =
        found.samples().sampling(problem, found.plan()).orElseThrow().sampleUpTo(0);
    assertThat(known.costUsd()).hasSizeGreaterThan(300);

    double guard = guard(problem, found.plan(), Optional.empty());

    assertThat(guard(problem, found.plan(), Optional.of(known))).isEqualTo(guard);
    double[] more = Arrays.stream(known.costUsd()).map(usd -> 3 * usd).toArray();
    JointSamples other = new JointSamples(known.completionS(), more);
    assertThat(guard(problem, found.plan(), Optional.of(other))).isGreaterThan(1.5 * guard);
  }

  private static double guard(Problem problem, Plan plan, Optional<JointSamples> known) {
    return GuardEstimator.usd(problem, plan, 1, known, SamplingProgress.NONE);
  }

  /** Notes on the nearest plan continue the samples of the planner. */
  @Test
  void plansThatMissTheLimitsHaveSamples() {
    Problem problem = Job.RUNGS.problem().withLimits(TestJobs.deadline(10, 1));
    PlanResult.Infeasible missed = (PlanResult.Infeasible) new Planner(problem, OPTIONS).plan();
    Plan fastest = missed.frontier().get(0).plan();

    IncrementalSampling known = missed.samples().sampling(problem, fastest).orElseThrow();

    int drawn = known.sampleUpTo(0).costUsd().length;
    assertThat(drawn).isPositive();
    assertThat(known.sampleUpTo(drawn + 64).costUsd())
        .startsWith(new Simulator(problem, drawn).sample(fastest).costUsd());
  }
}
