package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the spread of whole runs: all trials of a run are slower or faster together. */
class RunFactorsTest {
  private static final int SAMPLES = 4000;
  private static final Plan PLAN = WorkedExample.plan("4×1 2×1 1×1 1×1", false);

  @Test
  void runIsSlowerAsAWhole() {
    Problem without = WorkedExample.problem(0, 0, 0);
    Problem with =
        without.with(without.offers(), Map.of("V100", WorkedExample.profile(0, 0).withRunCv(0.1)));
    Estimate exact = new Simulator(without, 1).simulate(PLAN);
    Estimate spread = new Simulator(with, SAMPLES).simulate(PLAN);

    double mean = exact.completionS().mean();
    assertThat(spread.completionS().mean()).isCloseTo(mean, within(0.01 * mean));
    assertThat(spread.completionS().p95() / mean).isCloseTo(1.17, within(0.02));
    assertThat(spread.completionS().p5() / mean).isCloseTo(0.845, within(0.02));
    assertThat(spread.costUsd().p95() / exact.costUsd().mean()).isCloseTo(1.17, within(0.02));
    assertThat(
            spread.costBy().compute()
                + spread.costBy().idle()
                + spread.costBy().provisioning()
                + spread.costBy().data()
                + spread.costBy().other())
        .isCloseTo(spread.costUsd().mean(), within(1e-9));
  }
}
