package io.elastune.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.FixedCluster;
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
import io.elastune.simulator.IncrementalSampling;
import io.elastune.simulator.Simulator;
import io.elastune.simulator.sample.JointSamples;
import java.util.ArrayList;
import java.util.List;
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
}
