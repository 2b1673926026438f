package io.elastune.profiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.profile.MeasuredNumber;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScalingLawTest {
  private static final Map<Integer, Double> PRECISE = Map.of(1, 0.01, 8, 0.01);

  /** A fixed part of 10 %: 100 s on one GPU, 55 s on two, 21.25 s on eight. */
  @Test
  void countBetweenMeasuredOnesIsNearTheLaw() {
    ScalingLaw law = ScalingLaw.of(Map.of(1, 100.0, 8, 21.25), PRECISE);

    MeasuredNumber two = law.modeled(2);

    assertThat(two.value()).isCloseTo(55, within(5.0));
    assertThat(two.low()).isLessThan(55);
    assertThat(two.high()).isGreaterThan(55);
    assertThat(law.isMeasured(2)).isFalse();
    assertThat(law.isMeasured(8)).isTrue();
  }

  @Test
  void intervalsGrowBeyondTheMeasuredCounts() {
    ScalingLaw law = ScalingLaw.of(Map.of(1, 100.0), Map.of(1, 0.01));

    assertThat(width(law.modeled(8))).isGreaterThan(width(law.modeled(2)));
    assertThat(law.modeled(8).low()).isGreaterThanOrEqualTo(100 / 8.0 * 0.8);
  }

  /** ElasticFlow: 26 programs, from 64 times as fast to no faster on more GPUs. */
  @Test
  void unmeasuredProgramMayScaleAsAnyPublishedOne() {
    MeasuredNumber eight = ScalingLaw.of(Map.of(1, 100.0), Map.of(1, 0.01)).modeled(8);

    assertThat(eight.low()).as("DeepSpeech2 on T4").isLessThan(100 / 6.5);
    assertThat(eight.high()).as("ResNet-50 for CIFAR-10 on A100").isGreaterThan(100 / 1.28);
  }

  /** YOLOv3 on T4 (docs/model.md): eight GPUs are slower than four. */
  @Test
  void communicationMakesMoreGpusSlower() {
    ScalingLaw law =
        ScalingLaw.of(Map.of(1, 100.0, 4, 33.3, 8, 71.9), Map.of(1, 0.01, 4, 0.01, 8, 0.01));

    assertThat(law.modeled(16).value()).isGreaterThan(40);
  }

  @Test
  void samplesOfMeasuredCountsHaveTheirErrors() {
    ScalingLaw law = ScalingLaw.of(Map.of(1, 100.0, 8, 21.25), PRECISE);

    assertThat(law.samples(List.of(1, 2, 8), 50))
        .hasSize(50)
        .allSatisfy(table -> assertThat(table.get(1)).isBetween(94.0, 106.0))
        .isEqualTo(law.samples(List.of(1, 2, 8), 50));
  }

  private static double width(MeasuredNumber number) {
    return (number.high() - number.low()) / number.value();
  }
}
