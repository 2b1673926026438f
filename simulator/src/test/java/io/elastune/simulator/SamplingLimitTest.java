package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.Workload;
import io.elastune.simulator.sample.JointSamples;
import io.elastune.simulator.sample.SamplingLimit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ends the sampling of asynchronous searches by a limit that is reached after some checks. */
class SamplingLimitTest {
  private static final int ALL = 4_000;
  private static final int LARGE = 90_000;

  private static Problem problem(int trials) {
    RungRule rule =
        new RungRule(
            List.of(1, 2, 4),
            trials,
            2,
            RungRule.Variant.PROMOTION,
            true,
            OptionalInt.empty(),
            OptionalInt.empty(),
            false);
    return WorkedExample.problem(0.05, 0.1, 0.4).withWorkload(Workload.of(rule));
  }

  private static Plan plan(Problem problem) {
    Allocation allocation = new Allocation(problem.offers().get(0).name(), 2, 1, 1);
    return new Plan(true, Map.of(Workload.OPEN, allocation, Workload.CLOSING, allocation));
  }

  private static SamplingLimit after(int checks) {
    AtomicInteger left = new AtomicInteger(checks);
    return new SamplingLimit(() -> left.getAndDecrement() <= 0);
  }

  /** The samples that were complete are those without a limit, on any number of threads. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void keepsCompleteSamples(int threads) {
    Problem problem = problem(200);
    JointSamples all = new Simulator(problem, ALL).sample(plan(problem));
    IncrementalSampling sampling =
        new Simulator(problem, ALL, threads, after(100)).sampling(plan(problem));
    JointSamples some = sampling.sampleUpTo(ALL);
    int samples = some.costUsd().length;

    assertThat(samples).isBetween(1_000, ALL - 1);
    assertThat(some.completionS()).isEqualTo(Arrays.copyOf(all.completionS(), samples));
    assertThat(some.costUsd()).isEqualTo(Arrays.copyOf(all.costUsd(), samples));
    assertThat(sampling.sampleUpTo(ALL).costUsd()).as("no more afterwards").hasSize(samples);
    assertThat(sampling.estimate().samples()).isEqualTo(samples);
    assertThat(sampling.startedTrials().mean()).isEqualTo(200);
    double byCategory = sampling.estimate().costBy().total();
    assertThat(byCategory).isBetween(0.999 * mean(some), 1.001 * mean(some));
  }

  private static double mean(JointSamples samples) {
    return Arrays.stream(samples.costUsd()).average().orElseThrow();
  }

  /** A sample of 90,000 trials is ended after some thousand tasks, and not at its end. */
  @Test
  void endsWithinASample() {
    Problem problem = problem(LARGE);
    AtomicInteger checks = new AtomicInteger();
    SamplingLimit limit = new SamplingLimit(() -> checks.incrementAndGet() > 0);
    IncrementalSampling sampling = new Simulator(problem, ALL, 1, limit).sampling(plan(problem));
    JointSamples some = sampling.sampleUpTo(ALL);

    // No other block begins after the limit: it would be ended only at its own first check.
    assertThat(checks.get()).isEqualTo(1 + 1_000_000 / 1_024);
    assertThat(some.costUsd().length).isBetween(1, 10);
    JointSamples none = new Simulator(problem, ALL, 1, limit).sample(plan(problem));
    assertThat(none.costUsd()).as("after the limit").isEmpty();
  }

  @Test
  void samplesAllBeforeTheLimit() {
    Problem problem = problem(100);
    IncrementalSampling sampling =
        new Simulator(problem, 200, 1, SamplingLimit.NONE).sampling(plan(problem));

    assertThat(sampling.sampleUpTo(200).costUsd()).hasSize(200);
  }
}
