package io.elastune.profiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elastune.core.Spread;
import io.elastune.core.config.JobFile;
import io.elastune.core.config.Overrides;
import io.elastune.core.job.Job;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MeasurementDesignTest {
  @ParameterizedTest
  @CsvSource({
    "1..8, 4, 16, '1 2 4 8'",
    "1..2, 1, 2, '1 2'",
    "1..64, 1, 4, '1 2 4'",
    "3, 4, 16, '3'",
    "1..12, 8, 16, '1 2 4 8'",
    "2..16, 8, 16, '2 4 8 16'",
  })
  void measuresEndsAndDoublings(String gpus, int perInstance, int instances, String sizes) {
    assertThat(
            MeasurementDesign.sizes(job(gpus, instances, 64), offer(perInstance), instances)
                .stream()
                .map(String::valueOf))
        .containsExactly(sizes.split(" ", -1));
  }

  @Test
  void fillsAndHoldsInstancesOfLargestSize() {
    MeasurementDesign design = MeasurementDesign.of(job("1..8", 16, 64), offer(4), 16);

    assertThat(design.plan().hold()).isTrue();
    assertThat(design.plan().allocations().values())
        .extracting(Allocation::instances)
        .containsOnly(2);
    assertThat(design.workload().groups())
        .extracting(TrialGroup::trials)
        .containsExactly(8, 4, 2, 1);
    assertThat(design.workload().groups())
        .allMatch(group -> group.fromUnit() == 0 && group.toUnit() == 64);
  }

  @Test
  void measuresAtMostTheUnitsOfTheJob() {
    assertThat(
            MeasurementDesign.of(job("1", 16, 2), offer(1), 16).workload().groups().get(0).toUnit())
        .isEqualTo(2);
  }

  @Test
  void rejectsJobsWithoutLegalSize() {
    assertThatThrownBy(() -> MeasurementDesign.of(job("3", 16, 8), offer(2), 16))
        .hasMessageContaining("no size in trial.gpus 3..3 is legal");
  }

  private static Job job(String gpus, int instances, int units) {
    String text =
        """
        name: test
        deadline: 1h
        search:
          algorithm: sha
          metric: {name: acc, goal: maximize}
          trials: 8
          eta: 2
          resource: {unit: epoch, min: 1, max: %d}
          space: {lr: {type: uniform, low: 0, high: 1}}
        trial: {run: "true", gpus: %s}
        resources: {infra: [local], max_instances: %d}
        """
            .formatted(units, gpus, instances);
    return JobFile.parse("job.yaml", text, Overrides.NONE).orThrow();
  }

  private static Offer offer(int gpus) {
    return new Offer(
        "local",
        "node",
        "cpu",
        gpus,
        Market.ON_DEMAND,
        1,
        PriceKind.NOTIONAL,
        BillingTerms.BY_THE_SECOND,
        Spread.NONE,
        Spread.NONE,
        0,
        0,
        1);
  }
}
