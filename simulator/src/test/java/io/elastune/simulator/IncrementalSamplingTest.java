package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.simulator.sample.JointSamples;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Checks that incremental sampling gives the same samples as sampling at once. */
class IncrementalSamplingTest {
  private static final int ALL = 300;
  private static final Problem VARIES = WorkedExample.problem(0.05, 0.1, 0.4);
  private static final Plan PLAN = WorkedExample.plan("4×1 2×1 2×2 2×4", false);

  @Test
  void fewSamplesAreAPrefixOfMany() {
    JointSamples all = new Simulator(VARIES, ALL).sample(PLAN);
    IncrementalSampling incrementalSampling = new Simulator(VARIES, ALL).sampling(PLAN);

    for (int asked : new int[] {1, 64, 65, 200, ALL, 10 * ALL}) {
      JointSamples some = incrementalSampling.sampleUpTo(asked);
      int samples = some.completionS().length;
      assertThat(samples).isBetween(Math.min(asked, ALL), ALL);
      assertThat(some.completionS()).isEqualTo(Arrays.copyOf(all.completionS(), samples));
      assertThat(some.costUsd()).isEqualTo(Arrays.copyOf(all.costUsd(), samples));
    }
    assertThat(incrementalSampling.sampleUpTo(1).costUsd())
        .as("never fewer than before")
        .hasSize(ALL);
    assertThat(incrementalSampling.estimate()).isEqualTo(new Simulator(VARIES, ALL).simulate(PLAN));
  }

  @Test
  void safeLimitIsTheLowestMetByEnoughSamples() {
    double[] values = new double[100];
    Arrays.setAll(values, i -> (37 * i) % 100 + 1);
    JointSamples jointSamples = new JointSamples(values, values);

    assertThat(jointSamples.safeDeadlineS(0.95)).isEqualTo(95);
    assertThat(jointSamples.safeBudgetUsd(0.951)).isEqualTo(96);
    assertThat(jointSamples.safeDeadlineS(1)).isEqualTo(100);
    assertThat(jointSamples.safeDeadlineS(0)).isEqualTo(1);
    assertThat(values[1]).as("the samples stay as they are").isEqualTo(38);
  }
}
