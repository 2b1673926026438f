package io.elastune.profiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.random.RandomStreams;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NumberEstimateTest {
  private static final int SAMPLES = 4000;
  private static final double DEVIATION = 0.3;

  /** Means of six log-normal values: Student's interval contains the truth less often. */
  @Test
  void intervalOfALogNormalMeanContainsTheTruth() {
    RandomGenerator random = RandomStreams.of(7).at("values").open();
    double truth = Math.exp(DEVIATION * DEVIATION / 2);
    int contained = 0;
    int contains = 0;
    for (int i = 0; i < SAMPLES; i++) {
      List<Double> values =
          Stream.generate(() -> Math.exp(DEVIATION * random.nextGaussian())).limit(6).toList();
      contained += contains(NumberEstimate.logNormalMean(values), truth);
      contains += contains(NumberEstimate.mean(values), truth);
    }

    assertThat((double) contained / SAMPLES).isBetween(0.94, 0.97);
    assertThat(contains).isLessThan(contained - SAMPLES / 200);
  }

  private static int contains(NumberEstimate estimate, double truth) {
    return estimate.low() <= truth && truth <= estimate.high() ? 1 : 0;
  }

  @Test
  void valueIsTheMean() {
    NumberEstimate estimate = NumberEstimate.logNormalMean(List.of(8.0, 9.0, 11.0, 12.0));

    assertThat(estimate.value()).isEqualTo(10);
    assertThat(estimate.high() - 10).isGreaterThan(10 - estimate.low());
  }

  @Test
  void fewOrSmallValuesHaveAnIntervalOfTheNormalDistribution() {
    List<List<Double>> all =
        List.of(List.of(0.01, 0.7), List.of(0.0, 1.0, 1.0, 1.0), List.of(0.01, 0.01, 0.9, 0.9));

    assertThat(all)
        .allSatisfy(
            values ->
                assertThat(NumberEstimate.logNormalMean(values))
                    .isEqualTo(NumberEstimate.mean(values)));
  }
}
