package io.elastune.profiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.profiler.Calibration.Quantity;
import io.elastune.profiler.history.PastPrediction;
import io.elastune.profiler.history.PastPrediction.Figures;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Tests the comparison of predictions with actual times and costs. */
class CalibrationTest {
  private static PastPrediction past(OptionalDouble actualS, double actualUsd) {
    return new PastPrediction(
        "r",
        "job",
        Instant.EPOCH,
        false,
        new Figures(100, 100, 120),
        new Figures(10, 10, 12),
        actualS,
        actualUsd);
  }

  private static PastPrediction past(double actualS, double actualUsd) {
    return past(OptionalDouble.of(actualS), actualUsd);
  }

  @Test
  void countsActualValuesBelowEachPercentile() {
    Calibration calibration =
        Calibration.of(
            List.of(
                past(90, 9),
                past(100, 12),
                past(110, 13),
                past(121, 14),
                past(OptionalDouble.empty(), 1)));

    assertThat(calibration.incomplete()).isEqualTo(1);
    assertThat(calibration.rows())
        .extracting(Calibration.Row::below)
        .containsExactly(2, 3, 1, 2); // equal values count as below
    assertThat(calibration.rows()).allMatch(row -> row.count() == 4);
    assertThat(calibration.medianRatio(Quantity.TIME)).isCloseTo(1.05, within(1e-12));
    assertThat(calibration.medianError(Quantity.COST)).isCloseTo(0.25, within(1e-12));
  }

  @Test
  void manyRunsAboveTheirP95ContradictIt() {
    List<PastPrediction> runs = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      runs.add(past(i < 20 ? 99 : i < 30 ? 110 : 130, i < 38 ? 9 : 13));
    }
    List<Calibration.Row> rows = Calibration.of(runs).rows();
    assertThat(rows.get(0).isConsistent()).isTrue(); // 20 of 40 below p50
    assertThat(rows.get(1).isConsistent()).isFalse(); // 30 of 40 below p95
    assertThat(rows.get(2).isConsistent()).isFalse(); // 38 of 40 below p50
    assertThat(rows.get(3).isConsistent()).isTrue(); // 38 of 40 below p95
  }

  @Test
  void withoutRunsNothingIsKnown() {
    Calibration calibration = Calibration.of(List.of());
    assertThat(calibration.rows()).allMatch(row -> row.count() == 0 && Double.isNaN(row.share()));
    assertThat(calibration.medianRatio(Quantity.TIME)).isNaN();
  }
}
