package io.elastune.core.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.billing.HourlyCosts;
import io.elastune.core.config.JobFile;
import io.elastune.core.config.Overrides;
import io.elastune.core.search.TrialGroups;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CheckpointPolicyTest {
  private static final String HYPERBAND =
      """
      name: stored
      deadline: 3h
      search:
        algorithm: hyperband
        metric: {name: val_acc, goal: maximize}
        resource: {unit: epoch, min: 1, max: 81}
        eta: 3
        space: {lr: {type: uniform, low: 0, high: 1}}
      trial:
        run: ./train
        checkpoint: {keep: 2, size_gb: 0.5, usd_per_gb_month: 0.023}
      resources: {controller_usd_per_hour: 0.1}
      """;

  @Test
  void monthHas730Hours() {
    CheckpointPolicy checkpointPolicy =
        new CheckpointPolicy(Optional.of("s3://bucket"), 2, 0.5, 0.023, Optional.empty());

    // 64 GB at 0.023 USD: 1.472 USD in 730 h.
    assertThat(checkpointPolicy.usdPerHour(64) * 730).isCloseTo(1.472, within(1e-12));
    assertThat(checkpointPolicy.usdPerHour(64)).isCloseTo(0.00201644, within(1e-8));
  }

  @Test
  void isFreeWithoutSizeOrPrice() {
    assertThat(new CheckpointPolicy(Optional.empty(), 2, 0, 0.023, Optional.empty()).usdPerHour(64))
        .isZero();
    assertThat(new CheckpointPolicy(Optional.empty(), 2, 0.5, 0, Optional.empty()).usdPerHour(64))
        .isZero();
  }

  @Test
  void countsEveryTrialOnce() {
    Job job = JobFile.parse("job.yaml", HYPERBAND, Overrides.NONE).orThrow();
    HourlyCosts running = job.runningCosts(TrialGroups.of(job.search()));

    // 81 + 34 + 15 + 8 + 5 trials, two checkpoints of half a GB each.
    assertThat(running.storageUsdPerHour()).isCloseTo(143 * 0.023 / 730, within(1e-12));
    assertThat(running.controllerUsdPerHour()).isEqualTo(0.1);
    assertThat(running.usd(7300)).isCloseTo(7300 * (0.1 + 143 * 0.023 / 730) / 3600, within(1e-12));
  }

  @Test
  void rejectsInvalidValues() {
    assertThatThrownBy(() -> new CheckpointPolicy(Optional.empty(), 0, 1, 1, Optional.empty()))
        .hasMessageContaining("keep");
    assertThatThrownBy(() -> new CheckpointPolicy(Optional.empty(), 1, -1, 1, Optional.empty()))
        .hasMessageContaining("size_gb");
    assertThatThrownBy(
            () -> new CheckpointPolicy(Optional.empty(), 1, 1, Double.NaN, Optional.empty()))
        .hasMessageContaining("usd_per_gb_month");
  }
}
