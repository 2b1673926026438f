package io.elastune.executor.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.estimate.CostBreakdown;
import io.elastune.core.estimate.Distribution;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.estimate.GroupEstimate;
import io.elastune.core.estimate.SamplingError;
import io.elastune.core.job.Metric;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class RunMetaTest {
  private static final Distribution SOME = new Distribution(1, 0.5, 1.25, 2);

  /** Estimates of earlier builds lack the share of samples without a result. */
  @Test
  void readsEarlierEstimates() {
    RunMeta.Predicted now = RunMeta.Predicted.of(estimate(0));
    String before = now.json().replaceFirst("\"withoutResult\":0(\\.0)?,", "");

    assertThat(before).isNotEqualTo(now.json());
    assertThat(JournalJson.read(before, Estimate.class)).isEqualTo(estimate(0));
  }

  private static Estimate estimate(double withoutResult) {
    return new Estimate(
        SOME,
        SOME,
        0.97,
        OptionalDouble.of(1),
        withoutResult,
        1000,
        new SamplingError(0.5, 0.25),
        new CostBreakdown(1, 2, 3, 4, 5),
        List.of(new GroupEstimate("1", SOME, SOME, SOME, SOME)));
  }

  @Test
  void readsBackEqual() {
    Estimate estimate = estimate(0.25);
    RunMeta meta =
        RunMeta.builder()
            .kind(RunMeta.Kind.TUNE)
            .version("0.1")
            .jobFile("job.yaml")
            .job("name: x")
            .plan("{}")
            .unit("epoch")
            .metric(new Metric("acc", Metric.Goal.MAXIMIZE))
            .notional(true)
            .profilingRun(Optional.of("x-1"))
            .profilingUsd(0.25)
            .predicted(Optional.of(RunMeta.Predicted.of(estimate)))
            .jobFolder("/jobs")
            .checkpoints("/somewhere")
            .build();

    assertThat(RunMeta.of(meta.rows())).isEqualTo(meta);
  }
}
