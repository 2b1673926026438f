package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule.Variant;
import io.elastune.core.properties.Tier;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.simulator.Contributions;
import io.elastune.simulator.Contributions.GroupTime;
import io.elastune.simulator.Simulator;
import io.elastune.simulator.graph.CompletedDag;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The graph and the critical path of random searches whose tasks share instances are as long as
 * their samples.
 */
class TimelineGraphTest {
  private static final int JOBS = Tier.runs("elastune.graphs", 12, 1000);
  private static final double ROUNDING_S = 1e-6;

  static Stream<LongFunction<PlannedRandomJob>> searches() {
    return Stream.of(
        RandomPools::of,
        seed -> RungFidelityTest.job(seed, Variant.PROMOTION),
        seed -> RungFidelityTest.job(seed, Variant.STOPPING),
        RandomFluidJobs::of,
        RandomFluidJobs::ofRungs,
        RandomHermesJobs::of,
        RandomHyperSchedJobs::of);
  }

  @ParameterizedTest
  @MethodSource("searches")
  void isAsLongAsItsSample(LongFunction<PlannedRandomJob> search) {
    for (long seed = 1; seed <= JOBS; seed++) {
      PlannedRandomJob job = search.apply(seed);
      Problem problem = job.problem().withoutFaults();
      Simulator simulator = new Simulator(problem, 1);

      CompletedDag dag = simulator.firstSample(job.plan());

      assertThat(dag.longestPathS())
          .as("job %d", seed)
          .isCloseTo(simulator.sample(job.plan()).completionS()[0], within(ROUNDING_S));
    }
  }

  @ParameterizedTest
  @MethodSource("searches")
  void attributesEverySecond(LongFunction<PlannedRandomJob> search) {
    for (long seed = 1; seed <= JOBS / 3; seed++) {
      PlannedRandomJob job = search.apply(seed);

      Contributions contributions = Contributions.of(job.problem(), job.plan());

      double sumS = contributions.byGroup().stream().mapToDouble(TimelineGraphTest::sumS).sum();
      assertThat(sumS)
          .as("job %d", seed)
          .isCloseTo(contributions.completionS(), within(ROUNDING_S));
      assertThat(contributions.wouldHelp())
          .as("job %d", seed)
          .hasSize(contributions.byGroup().isEmpty() ? 0 : 4);
    }
  }

  private static double sumS(GroupTime time) {
    return time.queueS() + time.bootS() + time.startupS() + time.trainingS() + time.stragglingS();
  }
}
